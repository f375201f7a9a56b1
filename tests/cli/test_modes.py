"""The seven modes, in both spellings: which direction fails, and against which versions; check and gate agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from builders import GitRepository

from compat.relation import Mode

Report = Callable[..., tuple[int, dict[str, Any]]]

SCHEMA = "schemas/order.schema.json"
ALL = frozenset(Mode) - {Mode.NONE}


def kinds(*values: str) -> dict[str, Any]:
    return {"enum": list(values)}


# Three versions, and the modes under which the third fails. Without `kind` a version says nothing of it, so that no
# single step shows what the third does to the first; data nobody declared is left out of account.
SILENT = None
HISTORIES = {
    "narrower than the one before": (
        (kinds("a", "b"), kinds("a", "b", "c"), kinds("a", "b")),
        {Mode.BACKWARD, Mode.FULL, Mode.BACKWARD_TRANSITIVE, Mode.FULL_TRANSITIVE},
    ),
    "wider than the one before": (
        (kinds("a", "b"), kinds("a"), kinds("a", "b")),
        {Mode.FORWARD, Mode.FULL, Mode.FORWARD_TRANSITIVE, Mode.FULL_TRANSITIVE},
    ),
    "narrower than the first alone": (
        (kinds("a", "b"), SILENT, kinds("a")),
        {Mode.BACKWARD_TRANSITIVE, Mode.FULL_TRANSITIVE},
    ),
    "wider than the first alone": (
        (kinds("a"), SILENT, kinds("a", "b")),
        {Mode.FORWARD_TRANSITIVE, Mode.FULL_TRANSITIVE},
    ),
    "other than the one before": ((kinds("a"), kinds("b"), kinds("c")), ALL),
    "other than the first alone": (
        (kinds("a"), SILENT, kinds("b")),
        {Mode.BACKWARD_TRANSITIVE, Mode.FORWARD_TRANSITIVE, Mode.FULL_TRANSITIVE},
    ),
    "the same as all": ((kinds("a"), kinds("a"), kinds("a")), set()),
}


def schema(number: int, kind: dict[str, Any] | None) -> dict[str, Any]:
    return {"version": f"1.{number}.0", "properties": {"id": {}} | ({} if kind is None else {"kind": kind})}


CASES = [(name, mode, mode.value) for name in HISTORIES for mode in Mode]
CASES += [("other than the first alone", mode, mode.value.upper().replace("-", "_")) for mode in Mode]


@pytest.mark.parametrize(("name", "mode", "spelled"), CASES)
def test_each_mode_asks_about_its_directions_and_versions(
    repository: GitRepository, report: Report, name: str, mode: Mode, spelled: str
) -> None:
    versions, failing = HISTORIES[name]
    config = f'compatibility = "{spelled}"\nundeclared = "ignore"\ndeprecate-before-removal = 0\n'
    repository.write("compat.toml", config)
    *earlier, newest = [schema(number, kind) for number, kind in enumerate(versions)]
    for number, content in enumerate(earlier):
        repository.write(SCHEMA, content).commit(f"1.{number}.0").tag(f"order-1.{number}.0")
    repository.write("README.md", "x").commit("later").branch("change").write(SCHEMA, newest)
    code, judged = report(repository.root, "check")
    assert (code, judged["schemas"][0]["mode"]) == (int(mode in failing), mode.value)
    code, judged = report(repository.root, "gate")
    assert (code, judged["lineages"][0]["outcome"] == "under-bumped") == (int(mode in failing), mode in failing)
    # An honest number announces it to everybody.
    repository.write(SCHEMA, {**newest, "version": "2.0.0"})
    assert report(repository.root, "gate")[0] == 0
