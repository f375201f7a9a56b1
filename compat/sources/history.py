"""What is kept beside the schemas: `history/<lineage>/records`, `rejects`, and the release records.

One row of `releases.ndjson` is one release: number, content digest, day, files. It is only ever appended to.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from compat.errors import Place, SourceError
from compat.lineage import VersionNumber
from compat.sources.files import Root, inside, shown
from compat.sources.patterns import matches

FOLDER = "history"
RELEASES = "releases.ndjson"
JOURNAL = ".release-in-progress.json"
_LAYOUTS = ("ndjson", "jsonl", "json", "yaml", "yml", "parquet")
_PACKINGS = (".gz", ".bz2", ".xz", ".zst", ".zstd", "")
_ENDINGS = tuple(f".{layout}{packing}" for layout in _LAYOUTS for packing in _PACKINGS)
_KEYS = frozenset({"version", "digest", "released", "revision", "tag", "files", "notes"})


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file of stored records and the version its name says they were written under."""

    path: str
    version: VersionNumber | None


@dataclass(frozen=True, slots=True)
class ReleaseRecord:
    """One release as it was written down. `files` maps each path to its digest, empty where none was kept."""

    version: str
    digest: str
    released: date
    files: Mapping[str, str] = field(default_factory=dict)
    revision: str | None = None
    tag: str | None = None
    line: int = 0

    @property
    def number(self) -> VersionNumber | None:
        try:
            return VersionNumber.parse(self.version)
        except ValueError:
            return None

    def row(self) -> str:
        """Write the release as one line of NDJSON, without its newline."""
        files: object = dict(self.files) if any(self.files.values()) else list(self.files)
        told = {
            "version": self.version,
            "digest": self.digest,
            "released": self.released.isoformat(),
            "revision": self.revision,
            "tag": self.tag,
            "files": files,
        }
        return json.dumps({key: value for key, value in told.items() if value is not None}, ensure_ascii=False)


def parse_releases(data: bytes, name: str) -> tuple[ReleaseRecord, ...]:
    """Read release records, oldest first; SourceError with the line of what is none."""
    return tuple(_release(row, Place(name, line=line), line) for line, row in _rows(data, name))


def _rows(data: bytes, name: str) -> Iterator[tuple[int, dict[str, object]]]:
    for line, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not raw.strip():
            continue
        place = Place(name, line=line)
        try:
            row = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise SourceError(f"is no JSON: {error}", place=place, hint="one release is one line") from None
        if not isinstance(row, dict):
            raise SourceError("a release is an object on one line", place=place)
        yield line, row


def _release(row: Mapping[str, object], place: Place, line: int) -> ReleaseRecord:
    texts: dict[str, str] = {}
    for key in ("version", "digest", "released", "revision", "tag"):
        value = row.get(key)
        if value is None and key in {"revision", "tag"}:
            continue
        if not isinstance(value, str) or not value:
            raise SourceError(f'a release has a text under "{key}"', place=place)
        texts[key] = value
    try:
        released = date.fromisoformat(texts["released"])
    except ValueError:
        raise SourceError(f'"released" is no ISO date: {texts["released"]}', place=place) from None
    files = row.get("files", {})
    if isinstance(files, list) and all(isinstance(path, str) for path in files):
        files = dict.fromkeys(files, "")
    if not isinstance(files, dict) or not all(isinstance(item, str) for item in files.values()):
        raise SourceError('"files" maps paths to digests, or lists paths', place=place)
    unknown = sorted(row.keys() - _KEYS)
    if unknown:
        raise SourceError(f'a release has no "{unknown[0]}"', place=place, hint=f"known: {', '.join(sorted(_KEYS))}")
    return ReleaseRecord(
        texts["version"], texts["digest"], released, files, texts.get("revision"), texts.get("tag"), line
    )


class History:
    """The history folder in the working tree."""

    def __init__(self, root: Root, folder: str = FOLDER) -> None:
        self._root = root
        self._folder = folder

    def folder(self, lineage: str) -> str:
        """Give the folder of one lineage, relative to the root; SourceError where its name leads out."""
        return inside(f"{self._folder}/{lineage}")

    def records(self, lineage: str, patterns: tuple[str, ...] = ()) -> tuple[RecordFile, ...]:
        """Give the files of records that must stay valid, by version; `patterns` replaces the usual place."""
        if patterns:
            found = (path for path in self._root.walk() if any(matches(pattern, path) for pattern in patterns))
            return _sorted(found)
        return _sorted(self._listed(f"{self.folder(lineage)}/records"))

    def rejects(self, lineage: str) -> tuple[RecordFile, ...]:
        """Give the files of records that must stay invalid."""
        return _sorted(self._listed(f"{self.folder(lineage)}/rejects"))

    def releases(self, lineage: str) -> tuple[ReleaseRecord, ...]:
        """Give what was released, oldest first; nothing where no record was ever written."""
        path = self.releases_path(lineage)
        return parse_releases(self._root.read(path), shown(path)) if self._root.exists(path) else ()

    def releases_path(self, lineage: str) -> str:
        return f"{self.folder(lineage)}/{RELEASES}"

    def appended(self, lineage: str, release: ReleaseRecord) -> tuple[str, bytes]:
        """Give the file of a lineage's releases and what it holds once a release is appended; nothing is written."""
        path = self.releases_path(lineage)
        before = self._root.read(path) if self._root.exists(path) else b""
        if before and not before.endswith(b"\n"):
            before += b"\n"
        return path, before + release.row().encode() + b"\n"

    @property
    def journal_path(self) -> str:
        """Give the file that tells of a release while it is written."""
        return f"{self._folder}/{JOURNAL}"

    def _listed(self, folder: str) -> Iterator[str]:
        place = self._root.locate(folder)
        if place.is_dir():
            for file in sorted(place.iterdir()):
                if file.name.endswith(_ENDINGS) and file.is_file():
                    yield f"{folder}/{file.name}"


def _sorted(paths: Iterator[str]) -> tuple[RecordFile, ...]:
    files = [RecordFile(path, version_in_name(path)) for path in paths]
    unnumbered = VersionNumber.parse("0")
    return tuple(sorted(files, key=lambda f: (f.version is None, f.version or unnumbered, f.path)))


def plain_name(path: str) -> str:
    """Give a path without the ending that says how its records are laid out and packed."""
    ending = next((ending for ending in _ENDINGS if path.endswith(ending)), "")
    return path.removesuffix(ending)


def version_in_name(path: str) -> VersionNumber | None:
    """Give the number that a file of records is called by: `1.0.0.ndjson.gz`."""
    try:
        return VersionNumber.parse(plain_name(path).rpartition("/")[2])
    except ValueError:
        return None
