"""The packaged history: every version of four contracts, the records stored under each, what was released when."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from importlib.resources import files
from typing import Any

from compat.jsonvalue import digest


@dataclass(frozen=True, slots=True)
class Entry:
    """One version of one contract, as the manifest tells it.

    `revision` counts the changes under one number: in a scheme of one number a compatible change does not move it.
    `backward` and `forward` are what the change does apart from the version tag, `undeclared` where only a record
    with a property the old schema never declared could fail; None for a first version.
    """

    lineage: str
    version: str
    revision: int
    when: date
    author: str
    message: str
    what: tuple[str, ...]
    backward: str | None
    forward: str | None
    released: bool
    stored: date | None
    schema_path: str
    history_path: str
    schema: bytes
    records: bytes
    rejects: bytes

    @property
    def label(self) -> str:
        """Name the version for people: `task version 1`, `task version 1, revision 2`."""
        revision = "" if self.revision == 1 else f", revision {self.revision}"
        return f"{self.lineage} version {self.version}{revision}"

    def release_record(self) -> dict[str, Any]:
        """Give the row that `releases.ndjson` keeps of this release."""
        return {
            "version": self.version,
            "digest": digest(json.loads(self.schema)),
            "released": self.when.isoformat(),
            "files": [self.schema_path],
        }


@dataclass(frozen=True, slots=True)
class Chapter:
    """What one version brings: the files of its release, and those of the records stored under it afterwards."""

    entry: Entry
    released: Mapping[str, bytes]
    stored: Mapping[str, bytes]


def entries() -> Iterator[Entry]:
    """Read the packaged manifest, oldest version first."""
    # The folder is called so because our own discovery passes it over: these are not contracts of this repository.
    folder = files("compat") / "_demo_data" / "fixtures"
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))

    def content(name: str | None) -> bytes:
        return b"" if name is None else (folder / name).read_bytes()

    for row in manifest["commits"]:
        paths = manifest["lineages"][row["lineage"]]
        yield Entry(
            lineage=row["lineage"],
            version=row["version"],
            revision=row["revision"],
            when=date.fromisoformat(row["date"]),
            author=row["author"],
            message=row["message"],
            what=tuple(row["what"]),
            backward=row.get("backward"),
            forward=row.get("forward"),
            released=row["released"],
            stored=None if row["stored"] is None else date.fromisoformat(row["stored"]),
            schema_path=paths["schema"],
            history_path=paths["history"],
            schema=content(row["schema"]),
            records=content(row["records"]),
            rejects=content(row["rejects"]),
        )


def chapters() -> Iterator[Chapter]:
    """Tell the history version by version; every file is given whole, as it stands after that version."""
    state: dict[str, bytes] = {}
    for entry in entries():
        released = {entry.schema_path: entry.schema}
        if entry.released:
            row = json.dumps(entry.release_record(), ensure_ascii=False) + "\n"
            path = f"{entry.history_path}/releases.ndjson"
            released[path] = state.get(path, b"") + row.encode()
        stored = {}
        for kind, rows in (("records", entry.records), ("rejects", entry.rejects)):
            # Revisions of one number share its file: what was stored under any of them.
            path = f"{entry.history_path}/{kind}/{entry.version}.ndjson"
            if rows:
                stored[path] = state.get(path, b"") + rows
        state |= {**released, **stored}
        yield Chapter(entry, released, stored)


def final_files() -> dict[str, bytes]:
    """Give every file as the last version leaves it, by path."""
    state: dict[str, bytes] = {}
    for chapter in chapters():
        state |= {**chapter.released, **chapter.stored}
    return state
