"""One HTML file that holds all it needs: no network, no inline style, no script but the one whose digest it names.

What stands in a page comes from schemas, records and people, and none of it is markup: the templates escape it, after
it was written as every other format writes it (no control characters, no commands of a build server).
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from compat.report.escape import json_text, xml


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of thing that the page can be narrowed to, and how many there are."""

    key: str
    label: str
    number: int


@dataclass(frozen=True, slots=True)
class Item:
    """What the filter knows of one thing on the page: where it is, what it is, and the words it is found by."""

    anchor: str
    kind: str
    group: str
    tags: Sequence[str]
    text: str


def render(template: str, *, version: str, items: Sequence[Item], **parts: Any) -> str:
    """Write a page; the same parts give the same bytes."""
    page = _environment().get_template(template)
    style, script = _asset("page.css"), _asset("page.js")
    return page.render(
        style=Markup(style),  # noqa: S704 - ours
        script=Markup(script),  # noqa: S704 - ours
        policy=_policy(style, script),
        index=embedded([_indexed(item) for item in items]),
        groups=_sorted(item.group for item in items),
        tags=_sorted(tag for item in items for tag in item.tags),
        version=version,
        **parts,
    )


def _indexed(item: Item) -> dict[str, object]:
    return {
        "id": item.anchor,
        "kind": item.kind,
        "group": xml(item.group),
        "tags": [xml(tag) for tag in item.tags],
        "text": xml(item.text),
    }


def _sorted(words: Iterable[str]) -> list[str]:
    return sorted(set(words) - {""})


def embedded(value: object) -> Markup:
    """Write a value as JSON inside a script element: nothing in it ends the element or a line of script."""
    text = json_text(json.dumps(value, ensure_ascii=True, separators=(",", ":")))
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)  # noqa: S704 - no markup is left in it


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("compat.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_harmless,
    )


def _harmless(value: object) -> object:
    return xml(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _asset(name: str) -> str:
    environment = _environment()
    if environment.loader is None:
        raise LookupError(name)
    return environment.loader.get_source(environment, name)[0].rstrip("\n")


@cache
def _policy(style: str, script: str) -> str:
    allowed = f"style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
