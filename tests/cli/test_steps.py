"""`--steps` of every command that proves: what bounds a proof, and what an answer says that came to the bound."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders import GitRepository
from click.testing import Result

from compat.cli.options import STEPS
from compat.proof import containment

Run = Callable[..., Result]

SCHEMA = "schemas/order.schema.json"
FEW = "the proof needs more than 2 steps; a higher bound (--steps) may decide it"
COMMANDS = (
    ("check", "--base", "main"),
    ("diff", f"main:{SCHEMA}", SCHEMA),
    ("gate",),
    ("log", "--no-cache", "-v"),
)
each_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command[0]))


def order(pattern: str, **more: object) -> dict[str, Any]:
    identifier = {"$id": "https://example.org/1.0.0/order.schema.json"}
    return identifier | {"properties": {"number": {"type": "integer", **more}, "word": {"pattern": pattern}}}


@pytest.fixture
def orders(repository: GitRepository) -> GitRepository:
    repository.write(SCHEMA, order("^(a|b)*c$")).commit("One").tag("order-1.0.0").branch("change")
    return repository.write(SCHEMA, order("^(a|b)*d?c$", maximum=4))


def test_the_default_is_that_of_the_engine() -> None:
    assert STEPS == containment.STEPS


@each_command
def test_an_answer_that_came_to_the_bound_says_how_to_raise_it(
    orders: GitRepository, run: Run, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    cut = run(orders.root, *command, "--steps", "2")
    assert FEW in " ".join(cut.stdout.split()), cut.stdout
    monkeypatch.setenv("COMPAT_STEPS", "2")
    assert FEW in " ".join(run(orders.root, *command).stdout.split())
    decided = run(orders.root, *command, "--steps", "5000")
    assert "steps" not in decided.stdout
    assert decided.exit_code == (0 if command[0] == "log" else 1)


@each_command
def test_a_bound_is_a_positive_number(orders: GitRepository, run: Run, command: tuple[str, ...]) -> None:
    result = run(orders.root, *command, "--steps", "0")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "0 is not in the range x>=1" in result.stderr


def test_a_check_against_a_file_keeps_to_it(orders: GitRepository, run: Run, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text(orders.git("show", f"main:{SCHEMA}"))
    against = run(orders.root, "check", SCHEMA, "--against", str(tmp_path / "old.json"), "--steps", "2")
    assert FEW in against.stdout


def test_what_the_cache_keeps_goes_with_its_bound(
    orders: GitRepository, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPAT_CACHE_DIR", str(tmp_path / "cache"))
    assert FEW in " ".join(run(orders.root, "log", "-v", "--steps", "2").stdout.split())
    assert "is not proved" not in run(orders.root, "log", "-v").stdout
    assert FEW in " ".join(run(orders.root, "log", "-v", "--steps", "2").stdout.split())
