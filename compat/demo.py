"""The guided tour: a small real repository, built from packaged data, and the commands worth running in it.

The data are four contracts of real products with every version they had, the records stored under each, and what was
released when. The same data make up `schemas/` and `history/` of this project's own repository.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from importlib.resources import files
from pathlib import Path
from typing import Any

from git import Git

from compat.jsonvalue import digest

MAIN = "main"
CARELESS = "whole-turns-only"
HONEST = "whole-turns-only-as-3"


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
    folder = files("compat") / "_demo_data"
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


# The repository


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit to write on `branch`; a branch that is new starts where `main` then stands."""

    branch: str
    when: datetime
    author: str
    message: str
    files: Mapping[str, bytes]
    tag: str | None = None


def commits() -> Iterator[Commit]:
    """Order the history by time: a version is released, and what was stored under it is kept before the next one.

    The newest version is not merged: it waits on a branch, once as a careless author would send it, with the number
    left as it was, and once as it really came.
    """
    *past, proposed = chapters()
    found: list[Commit] = []
    for chapter in past:
        entry = chapter.entry
        found.append(Commit(MAIN, _at(entry.when, 9), entry.author, _subject(entry), chapter.released, _tag(entry)))
        if chapter.stored and entry.stored:
            message = f"{entry.lineage}: keep what was stored under version {entry.version}"
            found.append(Commit(MAIN, _at(entry.stored, 18), entry.author, message, chapter.stored))
    yield from sorted(found, key=lambda commit: commit.when)
    entry = proposed.entry
    before = max((c.entry for c in past if c.entry.lineage == entry.lineage), key=lambda e: e.when)
    marker, kept = (f"{entry.lineage}/{e.version}".encode() for e in (entry, before))
    careless = entry.schema.replace(marker, kept)
    when = _at(entry.when, 8)
    yield Commit(CARELESS, when, entry.author, f"{entry.lineage}: {entry.message}", {entry.schema_path: careless})
    yield Commit(HONEST, when, entry.author, _subject(entry), {entry.schema_path: entry.schema})


def _subject(entry: Entry) -> str:
    return f"{entry.lineage}: version {entry.version}, {entry.message}"


def _tag(entry: Entry) -> str | None:
    """Name the tag of a released number; later revisions of a number get none."""
    return f"{entry.lineage}/{entry.version}" if entry.released and entry.revision == 1 else None


def _at(day: date, hour: int) -> datetime:
    return datetime.combine(day, time(hour), UTC)


def build(folder: Path) -> dict[str, str]:
    """Write the history into a new git repository in `folder`, check out `main`, and give commit ids by subject.

    Everything about a commit is fixed, so the ids are the same on every machine. Nothing of the machine's or the
    user's git takes part: no configuration, no template, no hook.
    """
    git = _git(folder)
    git.init("--quiet", "--template=", f"--initial-branch={MAIN}")
    marks = folder / ".git" / "demo-marks"
    subjects: list[str] = []
    branches: set[str] = set()
    # One stream, one process: no index, so no filter and no hook of the machine has a say in what is written.
    with tempfile.TemporaryFile() as stream:
        for mark, commit in enumerate(commits(), 1):
            stream.write(_command(commit, mark, start=bool(branches) and commit.branch not in branches))
            branches.add(commit.branch)
            subjects.append(commit.message)
        stream.seek(0)
        git.fast_import("--quiet", f"--export-marks={marks}", istream=stream)
    switch(folder, MAIN)
    ids = dict(line[1:].split() for line in marks.read_text(encoding="ascii").splitlines())
    marks.unlink()
    return {subject: ids[str(mark)] for mark, subject in enumerate(subjects, 1)}


def switch(folder: Path, branch: str) -> None:
    """Check a branch of the built repository out, as `git switch` does."""
    _git(folder).checkout("--quiet", "--force", branch)


def _git(folder: Path) -> Git:
    git = Git(folder)
    git.update_environment(
        GIT_DIR=str(folder / ".git"),
        GIT_WORK_TREE=str(folder),
        GIT_INDEX_FILE=str(folder / ".git" / "index"),
        GIT_OBJECT_DIRECTORY=str(folder / ".git" / "objects"),
        GIT_CONFIG_NOSYSTEM="1",
        GIT_CONFIG_GLOBAL=os.devnull,
        GIT_TERMINAL_PROMPT="0",
    )
    return git


def _command(commit: Commit, mark: int, *, start: bool) -> bytes:
    """Write one commit in the language of `git fast-import`."""
    who = f"{commit.author} {int(commit.when.timestamp())} +0000".encode()
    out = [f"commit refs/heads/{commit.branch}\nmark :{mark}\n".encode()]
    out += [b"author ", who, b"\ncommitter ", who, b"\n", _data(commit.message.encode())]
    if start:
        out.append(f"from refs/heads/{MAIN}\n".encode())
    for path, content in commit.files.items():
        out += [f"M 100644 inline {path}\n".encode(), _data(content)]
    if commit.tag is not None:
        out += [f"tag {commit.tag}\nfrom :{mark}\ntagger ".encode(), who, b"\n", _data(commit.message.encode())]
    return b"".join(out)


def _data(content: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(content), content)
