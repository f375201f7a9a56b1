"""Builders that every room's tests share: real temporary git repositories with fixed dates and authors."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

FIRST_COMMIT = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)


class GitRepository:
    """A real repository in a temporary folder, built by chaining steps.

    Every commit is a day later than the one before, by Ada unless said otherwise, so hashes never vary.
    """

    def __init__(self, root: Path, environment: Mapping[str, str], *, init: bool = True) -> None:
        self.root = root
        self._environment = dict(environment)
        self._commits = 0
        if init:
            root.mkdir(parents=True, exist_ok=True)
            self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str | Path, data: bytes | None = None, check: bool = True) -> str:
        """Run plain git here and give its output; the tested code never goes this way."""
        done = subprocess.run(
            ["git", *map(str, arguments)],
            cwd=self.root,
            env=self._environment | self._clock(),
            input=data,
            capture_output=True,
            check=False,
        )
        if check and done.returncode != 0:
            raise AssertionError(f"git {' '.join(map(str, arguments))}: {os.fsdecode(done.stderr)}")
        return os.fsdecode(done.stdout).strip()

    def _clock(self) -> dict[str, str]:
        when = (FIRST_COMMIT + timedelta(days=self._commits)).isoformat()
        return {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}

    # The working tree

    def write(self, path: str, content: object) -> Self:
        """Write text or bytes as they are, anything else as indented JSON."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            target.write_bytes(content)
        elif isinstance(content, str):
            target.write_bytes(content.encode())
        else:
            target.write_bytes((json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode())
        return self

    def remove(self, path: str) -> Self:
        (self.root / path).unlink()
        return self

    def rename(self, old: str, new: str) -> Self:
        target = self.root / new
        target.parent.mkdir(parents=True, exist_ok=True)
        (self.root / old).rename(target)
        return self

    def symlink(self, path: str, target: str) -> Self:
        link = self.root / path
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target)
        return self

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    # History

    def stage(self, *paths: str) -> Self:
        self.git("add", "--all", "--", *(paths or (".",)))
        return self

    def commit(self, message: str = "Change", *, author: str = "Ada Lovelace <ada@example.org>") -> Self:
        """Stage everything and commit it, empty or not."""
        self.stage()
        self.git("commit", "--quiet", "--allow-empty", f"--author={author}", "-m", message)
        self._commits += 1
        return self

    def tag(self, name: str, revision: str = "HEAD", *, annotated: bool = False) -> Self:
        self.git("tag", *(("-a", "-m", name) if annotated else ()), name, revision)
        return self

    def branch(self, name: str, revision: str = "HEAD") -> Self:
        """Create a branch and stand on it."""
        self.git("checkout", "--quiet", "-b", name, revision)
        return self

    def checkout(self, revision: str) -> Self:
        self.git("checkout", "--quiet", revision)
        return self

    def merge(self, revision: str, *options: str) -> Self:
        self.git("merge", "--quiet", "--no-ff", "-m", f"Merge {revision}", *options, revision)
        self._commits += 1
        return self

    def config(self, key: str, value: str) -> Self:
        self.git("config", key, value)
        return self

    def sha(self, revision: str = "HEAD") -> str:
        return self.git("rev-parse", "--verify", revision)

    # Copies

    def clone(self, target: Path, *options: str) -> GitRepository:
        """Clone this repository as a server would hand it out (`--depth=1`, `--bare`, `--filter=…`)."""
        self.git("config", "uploadpack.allowFilter", "true")
        self.git("config", "uploadpack.allowAnySHA1InWant", "true")
        self.git("clone", "--quiet", "--no-local", *options, self.root.as_uri(), target)
        copy = GitRepository(target, self._environment, init=False)
        copy._commits = self._commits
        return copy
