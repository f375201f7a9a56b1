"""A first configuration for a repository: its lineages as they are found, the workflow and the commit hook."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from compat.errors import OutputError, Place
from compat.lineage import Lineage
from compat.project import Moment, Project
from compat.project.config import FILE_NAME, read_config
from compat.project.moment import families
from compat.relation import Mode
from compat.sources.discovery import discover
from compat.sources.files import Root, shown
from compat.sources.patterns import matches

WORKFLOW = ".github/workflows/compat.yml"
GITLAB = ".gitlab/compat.gitlab-ci.yml"
HOOKS = ".pre-commit-config.yaml"

# With more lineages than these a table for each would be a list of files that has to be kept up by hand.
MOST_TABLES = 60


@dataclass(frozen=True, slots=True)
class Proposal:
    """A file to write; `part` is what would go into one that is there already, the whole of it by default."""

    path: str
    text: str
    part: str = ""


def config_text(project: Project, lineages: Sequence[Lineage], mode: Mode, waivers: Sequence[str] = ()) -> str:
    """Write a configuration that governs exactly what is found without one.

    A table that would change what belongs together is left out, with a comment that says so.
    """
    moment = project.moment(None)
    governed = sorted(moment.governed)
    tables = (
        [_table(project, moment, lineage, governed) for lineage in lineages] if len(lineages) <= MOST_TABLES else []
    )
    while True:
        text = "\n".join(_lines(mode, tables, lineages)) + "\n"
        wrong = _changed(moment, text, lineages)
        if not wrong or not tables:
            return "\n".join([text.rstrip("\n"), *(f"\n{waiver}" for waiver in waivers)]) + "\n"
        kept = [table for table in tables if table.name not in wrong]
        tables = kept if len(kept) < len(tables) else []


@dataclass(frozen=True, slots=True)
class _Table:
    name: str
    text: str


def _lines(mode: Mode, tables: Sequence[_Table], lineages: Sequence[Lineage]) -> Iterator[str]:
    yield "# What `compat check` asks of the schemas of this repository."
    yield "# A pull request is judged by this file as it stands where the branch left, not as the branch has it."
    yield ""
    yield "# backward: the new version reads old data; forward: the old one reads new data; full: both; none."
    yield "# With -transitive (backward-transitive), against every earlier version and not only the one before."
    yield f'compatibility = "{mode}"'
    yield ""
    yield "# What only a property that was never declared could break: error, warn or ignore."
    yield 'undeclared = "warn"'
    yield ""
    yield "# What was neither proved nor refuted: error or warn."
    yield 'unknown = "error"'
    for table in tables:
        yield ""
        yield table.text
    untold = len(lineages) - len(tables)
    if untold:
        yield ""
        yield f"# {untold} more {'lineage is' if untold == 1 else 'lineages are'} found by name: compat list."


def _table(project: Project, moment: Moment, lineage: Lineage, governed: Sequence[str]) -> _Table:
    numbers = [found for path in lineage.files if (found := moment.number(path)) is not None]
    told = f"version {numbers[-1][0]} from {numbers[-1][1].value}" if numbers else "no version number found"
    kept = len(project.record_files(lineage.name))
    facts = [told, f"{kept} {'file' if kept == 1 else 'files'} of stored records"] if kept else [told]
    if lineage.side_by_side:
        facts.insert(0, f"{len(lineage.files)} versions side by side")
    patterns = patterns_of(lineage.files, governed)
    files = quoted(patterns[0]) if len(patterns) == 1 else f"[{', '.join(map(quoted, patterns))}]"
    name = lineage.name if re.fullmatch(r"[A-Za-z0-9_-]+", lineage.name) else quoted(lineage.name)
    return _Table(lineage.name, f"# {shown(', '.join(facts))}\n[schemas.{name}]\nfiles = {files}")


def patterns_of(files: Sequence[str], governed: Iterable[str]) -> tuple[str, ...]:
    """Find the pattern that means these files and no other governed one, the next version included; else list them."""
    governed = tuple(governed)
    split = [path.split("/") for path in files]
    if len(split) > 1 and len({len(steps) for steps in split}) == 1:
        pattern = "/".join(_common(column) for column in zip(*split, strict=True))
        if sorted(path for path in governed if matches(pattern, path)) == sorted(files):
            return (pattern,)
    return tuple(_literal(path) for path in files)


def _is_text(lineage: Lineage) -> bool:
    """Whether every name can be written down; a path may be bytes that are no UTF-8."""
    return all(name == name.encode("utf-8", "replace").decode() for name in (lineage.name, *lineage.files))


def _common(steps: Sequence[str]) -> str:
    """Write what the steps of several paths share, with `*` for the part in which they differ."""
    first, *rest = steps
    if all(step == first for step in rest):
        return _literal(first)
    shortest = min(map(len, steps))
    head = next((i for i in range(shortest) if len({step[i] for step in steps}) > 1), shortest)
    room = shortest - head
    tail = next((i for i in range(room) if len({step[-1 - i] for step in steps}) > 1), room)
    # A version number differs as a whole, or the next version would not be found.
    begin = re.sub(r"\d[\d.-]*$", "", first[:head])
    end = re.sub(r"^[\d.-]*\d", "", first[len(first) - tail :])
    return f"{_literal(begin)}*{_literal(end)}"


def _literal(text: str) -> str:
    return re.sub(r"[*?\[]", lambda found: f"[{found[0]}]", text)


def quoted(text: str) -> str:
    """Write a TOML string; JSON's escapes are TOML's, apart from one character that JSON does not escape."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _changed(moment: Moment, text: str, lineages: Sequence[Lineage]) -> set[str]:
    """Give the lineages that the configuration would find otherwise than they are found now."""
    config = read_config(tomllib.loads(text))
    found = discover(moment.snapshot, configured=config.files, exclude=config.excluded, scope="")
    named = families((item.path, item.lineage) for item in found.governed)
    was = {lineage.name: set(lineage.files) for lineage in lineages}
    return {name for name in {*was, *named} if was.get(name) != set(named.get(name, ()))}


def proposals(config: str, *, branch: str, action: str | None, gitlab: bool) -> tuple[Proposal, ...]:
    """Give the files to write, in the order they are told; `action` is OWNER/REPO@REF of the action where known."""
    ci = Proposal(GITLAB, GITLAB_TEMPLATE) if gitlab else Proposal(WORKFLOW, _workflow(branch, action))
    return Proposal(FILE_NAME, config), ci, Proposal(HOOKS, f"repos:\n{_HOOK}", _HOOK)


def write_new(root: Root, path: str, text: str) -> bool:
    """Write a file that is not there yet and give whether it was; one that is there is never touched."""
    target = root.locate(path)
    if root.exists(path):
        return False
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        return False
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", place=Place(shown(path))) from None
    return True


_HOOK = """  - repo: local
    hooks:
      - id: compat-check
        name: compat check
        entry: compat check --staged
        language: system
        pass_filenames: false
        always_run: true
"""

_CHECKOUT = "actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5 # v4.3.1"
_PYTHON = "actions/setup-python@a26af69be951a213d495a4c3e4e4022e16d87065 # v5.6.0"


def _workflow(branch: str, action: str | None) -> str:
    known = branch if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._/-]*", branch) else "main"
    if action is None:
        return _WORKFLOW.format(branch=known, checkout=_CHECKOUT, more="", steps=_WITHOUT)
    return _WORKFLOW.format(branch=known, checkout=_CHECKOUT, more=_COMMENT, steps=f"      - uses: {action}\n")


_WORKFLOW = """\
# Judges every change of a schema. It reads strangers' pull requests: keep it on `pull_request`.
name: compat

on:
  pull_request:
  merge_group:
  push:
    branches: [{branch}]
  workflow_dispatch:

permissions: {{}}

jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    permissions:
      contents: read
{more}    steps:
      - uses: {checkout}
        with:
          persist-credentials: false
          # The merge base is what a change is compared with.
          fetch-depth: 0
{steps}"""

_COMMENT = """\
      # For the one comment on the pull request; without it the summary and the annotations stay.
      pull-requests: write
"""

# Where compat is installed from is not for us to guess: a name that nobody has taken yet is anybody's to take.
_WITHOUT = f"""\
      - uses: {_PYTHON}
        with:
          python-version: "3.13"
      - name: Install compat
        env:
          # A variable of the repository: what to give to pip, such as git+https://HOST/OWNER/REPO@COMMIT
          WHERE: ${{{{ vars.COMPAT_INSTALL }}}}
        run: |
          if [ -z "$WHERE" ]; then
            echo "::error::Set the repository variable COMPAT_INSTALL to what pip installs compat from."
            exit 3
          fi
          python -m pip install "$WHERE"
      - name: Check
        run: compat check --format github
"""


# Kept apart from .gitlab-ci.yml, which has an owner; one line there includes it.
GITLAB_TEMPLATE = """\
# Judges every change of a schema. In .gitlab-ci.yml:
#
#     include:
#       - local: .gitlab/compat.gitlab-ci.yml
#
# COMPAT_INSTALL is a variable of the project: what to give to pip, such as git+https://HOST/OWNER/REPO@COMMIT
compat:
  image: python:3.13
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  variables:
    # The merge base is what a change is compared with.
    GIT_DEPTH: "0"
  script:
    - python -m venv /tmp/compat
    - /tmp/compat/bin/python -I -m pip install "${COMPAT_INSTALL:?set it to what pip installs compat from}"
    - /tmp/compat/bin/compat check --also gitlab=compat-quality.json --also junit=compat-junit.xml
  artifacts:
    when: always
    reports:
      codequality: compat-quality.json
      junit: compat-junit.xml
"""
