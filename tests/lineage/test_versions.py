"""Grouping files to lineages, and the pairs that a mode asks about."""

from __future__ import annotations

import pytest

from compat.lineage import Version, VersionNumber, group, pairs_required
from compat.relation import Mode


def version(text: str | None) -> Version:
    number = None if text is None else VersionNumber.parse(text)
    return Version(number, None, "a.json", None, None, None, "", (), f"sha256:{text}")


VERSIONS = [version(text) for text in ("1.0.0", "1.1.0", None, "2.0.0")]


@pytest.mark.parametrize(
    ("mode", "floor", "old"),
    [
        (Mode.NONE, None, []),
        (Mode.BACKWARD, None, ["None"]),
        (Mode.FULL, None, ["None"]),
        (Mode.BACKWARD_TRANSITIVE, None, ["1.0.0", "1.1.0", "None"]),
        (Mode.FULL_TRANSITIVE, "1.1.0", ["1.1.0", "None"]),
        (Mode.FORWARD_TRANSITIVE, "3", ["None"]),
    ],
)
def test_pairs_required(mode: Mode, floor: str | None, old: list[str]) -> None:
    found = pairs_required(VERSIONS, mode, None if floor is None else VersionNumber.parse(floor))
    assert [str(pair.old.number) for pair in found] == old
    assert all(pair.new is VERSIONS[-1] for pair in found)


def test_a_first_version_has_no_pair() -> None:
    assert pairs_required(VERSIONS[:1], Mode.FULL_TRANSITIVE) == ()
    assert pairs_required([], Mode.FULL_TRANSITIVE) == ()


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["schemas/task/task.schema.json"], {"task": 1}),
        (["schemas/v1/a.json", "schemas/v2/a.json", "schemas/v10/a.json"], {"a": 3}),
        (["a-1.2.json", "a-1.10.json", "a.json"], {"a": 3}),
        (["x/schema.json", "y/schema.json"], {"x": 1, "y": 1}),
        (["x/b.json", "y/b.json", "c.json"], {"x/b": 1, "y/b": 1, "c": 1}),
        (["p/x/b.json", "q/x/b.json"], {"p/x/b": 1, "q/x/b": 1}),
        (["a.json", "a.yaml"], {"a.json": 1, "a.yaml": 1}),
        (["task/1.0.0.json", "task/1.1.0.json"], {"task": 2}),
        (["schema.json"], {"schema": 1}),
        ([], {}),
    ],
)
def test_names_of_lineages(paths: list[str], expected: dict[str, int]) -> None:
    found = group(paths)
    assert {name: len(files) for name, files in found.items()} == expected
    assert sorted(path for files in found.values() for path in files) == sorted(paths)
    assert group(reversed(paths)) == found


def test_versions_side_by_side_are_in_order_and_the_plain_file_is_the_last() -> None:
    (files,) = group(["a.json", "a-1.10.json", "a-1.2.json"]).values()
    assert files == ("a-1.2.json", "a-1.10.json", "a.json")


@pytest.mark.parametrize(("one", "label"), [(version("1.0.0"), "1.0.0"), (version(None), "working tree")])
def test_a_version_is_called_by_what_it_has(one: Version, label: str) -> None:
    assert one.label == label
