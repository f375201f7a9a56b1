"""What was worked out in earlier runs, kept in the user's cache folder: one small file an answer.

A cache may only ever save time. An entry says what it answers, down to the program that did the work, and is held to
that when it is read; one that is damaged, planted under another's name or of another shape is as good as absent.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from compat.jsonvalue import JSON, MAX_EXPONENT, digest, dumps, equal

FORMAT: Final = "compat-cache/1"
FOLDER_VARIABLE: Final = "COMPAT_CACHE_DIR"
MAX_BYTES: Final = 1_000_000
MAX_PACK: Final = 256 * 2**20

# Answers of this many programs are kept, so that two checkouts in use do not throw out each other's.
_GENERATIONS: Final = 4

# What takes part in an answer: our own code, and the libraries that bear witnesses out.
_OWN: Final = (
    *("compare.py", "jsonvalue.py", "relation.py", "assess/pair.py"),
    *("diff", "lineage", "logic", "model", "project", "proof", "sources"),
)
_LIBRARIES: Final = ("corvus-regex-ecma262", "deepdiff", "jsonschema", "jsonschema-rs", "referencing")


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Give the folder of the cache: COMPAT_CACHE_DIR, else where XDG keeps caches; None where neither is usable.

    Never one inside the repository that is looked at: whoever sends a change must not send the answers with it.
    """
    if own := environment.get(FOLDER_VARIABLE):
        return Path(own).absolute()
    shared, home = environment.get("XDG_CACHE_HOME", ""), environment.get("HOME", "")
    # XDG: a relative path is to be ignored.
    if Path(shared).is_absolute():
        return Path(shared) / "compat"
    return Path(home) / ".cache" / "compat" if Path(home).is_absolute() else None


@cache
def engine_version() -> str:
    """Name the program that answers: the digest of its own text and of the versions of what it leans on.

    A number that people raise by hand would one day not be raised.
    """
    whole = hashlib.sha256(f"{_installed('schema-compat')}\n{sys.version}\n".encode())
    for name in _LIBRARIES:
        whole.update(f"{name} {_installed(name)}\n".encode())
    top = files("compat")
    for part in _OWN:
        for path, text in sorted(_sources(top / part, part)):
            whole.update(f"{path} {hashlib.sha256(text).hexdigest()}\n".encode())
    return whole.hexdigest()[:32]


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "?"


def _sources(place: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    if place.is_file():
        if path.endswith(".py"):
            yield path, place.read_bytes()
    elif place.is_dir():
        for below in place.iterdir():
            if below.name != "__pycache__":
                yield from _sources(below, f"{path}/{below.name}")


class Cache:
    """Answers by what was asked, of this program only.

    Several processes may share a folder: a file is written beside its place and renamed onto it. A folder that
    cannot be used is a cache that holds nothing.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / engine_version()
        self._usable = True
        self._tidied = False

    def get(self, question: Mapping[str, JSON]) -> JSON:
        """Give the answer kept for a question; None where there is none that can be trusted."""
        try:
            with self._place(question).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
            if len(data) > MAX_BYTES:
                return None
            kept = json.loads(data, parse_float=_number, parse_constant=_refuse)
            if not isinstance(kept, dict) or kept.get("format") != FORMAT or not equal(kept.get("question"), question):
                return None
            answer: JSON = kept.get("answer")
            return answer if kept.get("digest") == digest(answer) else None
        except (OSError, ValueError, InvalidOperation, RecursionError):
            return None

    def put(self, question: Mapping[str, JSON], answer: JSON) -> None:
        """Keep an answer; one that cannot be kept is lost without a word."""
        told = {"format": FORMAT, "question": question, "answer": answer, "digest": digest(answer)}
        place = self._place(question)
        try:
            data = dumps(told).encode("utf-8")
        except UnicodeEncodeError:
            return  # a lone surrogate: such a witness is made anew
        if len(data) <= MAX_BYTES:
            self._keep(place, data)

    def load(self, question: Mapping[str, JSON]) -> bytes | None:
        """Give the pack of bytes kept for a question; None where there is none that can be trusted."""
        try:
            with self._place(question, "pack").open("rb") as file:
                head = json.loads(file.readline(MAX_BYTES))
                data = file.read(MAX_PACK + 1)
            if len(data) > MAX_PACK or not isinstance(head, dict) or head.get("format") != FORMAT:
                return None
            whole = head.get("digest") == _digest(data) and equal(head.get("question"), question)
            return data if whole else None
        except (OSError, ValueError, RecursionError):
            return None

    def save(self, question: Mapping[str, JSON], data: bytes) -> None:
        """Keep a pack of bytes, which takes the place of the last one."""
        if len(data) <= MAX_PACK:
            told = {"format": FORMAT, "question": question, "digest": _digest(data)}
            self._keep(self._place(question, "pack"), json.dumps(told).encode() + b"\n" + data)

    def _keep(self, place: Path, data: bytes) -> None:
        if not self._usable:
            return
        try:
            self._tidy()
            place.parent.mkdir(parents=True, exist_ok=True)
            _write(place, data)
        except OSError:
            self._usable = False

    def _place(self, question: Mapping[str, JSON], ending: str = "json") -> Path:
        name = digest(question).removeprefix("sha256:")
        return self.folder / name[:2] / f"{name[2:]}.{ending}"

    def _tidy(self) -> None:
        """Throw out what programs before the last few left; called before the first write."""
        if self._tidied:
            return
        self._tidied = True
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.utime(self.folder)
        others = [path for path in self.folder.parent.iterdir() if _is_generation(path) and path != self.folder]
        others.sort(key=_age)
        for path in others[: max(0, len(others) - _GENERATIONS + 1)]:
            shutil.rmtree(path, ignore_errors=True)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _is_generation(path: Path) -> bool:
    """Whether a folder is one of ours: the cache folder may have been chosen badly."""
    name = path.name
    return len(name) == 32 and set(name) <= set("0123456789abcdef") and path.is_dir() and not path.is_symlink()


def _age(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _write(place: Path, data: bytes) -> None:
    descriptor, name = tempfile.mkstemp(dir=place.parent, prefix=".")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(name).replace(place)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _number(text: str) -> JSON:
    """Read a number as it was written; one that only exists to be expensive is a damaged entry."""
    near, written = float(text), Decimal(text)
    if not written.is_finite() or abs(written.adjusted()) > MAX_EXPONENT:
        raise ValueError("out of range")
    return near if near - near == 0 and Decimal(repr(near)) == written else written


def _refuse(text: str) -> JSON:
    raise ValueError(f"{text} is no JSON")
