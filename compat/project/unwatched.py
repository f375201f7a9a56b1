"""What the configuration of a change no longer looks at: files, formats, records and numbers that its base does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compat.diff.wording import listing
from compat.errors import Place
from compat.loosening import Loosening
from compat.project.config import Config, SchemaConfig
from compat.sources.files import shown


def unwatched(base: Config, head: Config) -> Iterator[Loosening]:
    """Yield where the head reads less, or elsewhere, than the base, which is the one that judges."""
    if base is head:
        return
    place = Place(shown(head.path)) if head.path is not None else None

    def loosened(message: str) -> Loosening:
        return Loosening("policy-loosened", message, place)

    if more := _lost(head.excluded, base.excluded):
        yield loosened(f"exclude: {_named(more)} more.")
    if (base.formats, head.formats) == ("assertion", "annotation"):
        yield loosened("formats: assertion becomes annotation.")
    for uri in sorted(base.dialects.keys() & head.dialects.keys()):
        if base.dialects[uri] is not head.dialects[uri]:
            yield loosened(f"dialects: {shown(uri)} is read as {head.dialects[uri]}, not as {base.dialects[uri]}.")
    for name in sorted(base.schemas):
        yield from map(loosened, _of_lineage(shown(name), base.schemas[name], head.schema(name)))


def _of_lineage(name: str, base: SchemaConfig, head: SchemaConfig) -> Iterator[str]:
    if gone := _lost(base.files, head.files):
        yield f"files of {name}: {_named(gone)} no longer."
    if gone := _lost((rule.pattern for rule in base.records), (rule.pattern for rule in head.records)):
        yield f"records of {name}: {_named(gone)} no longer."
    if base.version != head.version:
        yield f"version of {name}: its number is read elsewhere."


def _lost(before: Iterable[str], after: Iterable[str]) -> list[str]:
    kept = set(after)
    return [pattern for pattern in before if pattern not in kept]


def _named(patterns: Iterable[str]) -> str:
    return listing([shown(pattern) for pattern in patterns])
