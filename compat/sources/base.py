"""What to compare with when nobody says: CI variables, the upstream, the remote's default branch, main or master.

Comparing with the wrong commit is worse than not comparing, so a step that knows what it wants and cannot have it
is an error with the command that brings it, never a reason to try the next one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from compat.errors import ExitCode, Place, RevisionError
from compat.sources.files import shown
from compat.sources.git import Repository

_MOST_EVENT_BYTES = 8 * 2**20

# Other systems: the variable that holds the target branch of a pull request, and one that says it is none.
_TARGET_BRANCH = (
    ("SYSTEM_PULLREQUEST_TARGETBRANCH", ""),
    ("BITBUCKET_PR_DESTINATION_BRANCH", ""),
    ("BUILDKITE_PULL_REQUEST_BASE_BRANCH", ""),
    ("CHANGE_TARGET", ""),
    ("DRONE_TARGET_BRANCH", ""),
    ("CI_COMMIT_TARGET_BRANCH", ""),
    ("TRAVIS_BRANCH", "TRAVIS_PULL_REQUEST"),
)


@dataclass(frozen=True, slots=True)
class Base:
    """The commit to compare with: `label` is what people call it, `how` says where it comes from."""

    revision: str
    label: str
    how: str
    notes: tuple[str, ...] = ()


class NothingToCompare(RevisionError):  # noqa: N818 - no fault: the event has no new state
    """The event, such as the deletion of a branch, leaves nothing to judge."""

    exit_code = ExitCode.OK


class NoBase(RevisionError):  # noqa: N818 - as above
    """Nothing here says what to compare with: no server, no upstream, no branch that others start from."""


def find_base(
    repository: Repository, environment: Mapping[str, str], explicit: str | None = None, head: str = "HEAD"
) -> Base:
    """Find the commit to compare `head` with; RevisionError says what to fetch or to give where there is none."""
    if explicit is not None:
        return _parted(repository, explicit, head, explicit, "--base")
    if not repository.has_commits:
        raise RevisionError(
            "the repository has no commit yet", hint="commit once, or compare files: compat diff OLD NEW"
        )
    for step in (_given, _github, _gitlab, _other_systems, _upstream, _remote_head, _main):
        base = step(repository, environment, head)
        if base is not None:
            return base
    raise NoBase(
        "no base to compare with: no CI variables, no upstream, no origin/HEAD, no main or master",
        hint="name one: --base REV",
    )


def _parted(repository: Repository, revision: str, head: str, label: str, how: str) -> Base:
    """Take the merge base, so that what the other side did since is not blamed on this one."""
    found = repository.merge_base(revision, head)
    notes: tuple[str, ...] = ()
    if found.others:
        rest = ", ".join(sha[:10] for sha in found.others)
        notes = (f"{1 + len(found.others)} merge bases; compared with {found.sha[:10]}, not with {rest}",)
    return Base(found.sha, shown(label), how, notes)


def _given(repository: Repository, environment: Mapping[str, str], head: str) -> Base | None:
    name = environment.get("COMPAT_BASE", "")
    return _parted(repository, name, head, name, "COMPAT_BASE") if name else None


# GitHub


def _github(repository: Repository, environment: Mapping[str, str], head: str) -> Base | None:
    name = environment.get("GITHUB_EVENT_NAME", "")
    if environment.get("GITHUB_ACTIONS") != "true" and "GITHUB_EVENT_PATH" not in environment:
        return None
    if name in {"pull_request", "pull_request_target"}:
        return _pull_request(repository, environment, head)
    if name == "merge_group":
        sha = _text(_event(environment), "merge_group", "base_sha")
        if not sha:
            raise RevisionError("the merge_group event names no base_sha", hint="name the base: --base REV")
        return _parted(repository, sha, head, "merge queue", "merge_group.base_sha")
    if name == "push":
        return _push(repository, environment, head)
    return None


def _pull_request(repository: Repository, environment: Mapping[str, str], head: str) -> Base:
    branch = environment.get("GITHUB_BASE_REF", "")
    if not branch:
        raise RevisionError("GITHUB_BASE_REF is empty in a pull request", hint="name the base: --base REV")
    reference = environment.get("GITHUB_REF", "")
    if reference.startswith("refs/pull/") and reference.endswith("/merge"):
        merged = _first_parent(repository, environment.get("GITHUB_SHA", ""), head, branch, "the pull request's merge")
        if merged is not None:
            return merged
    return _branch(repository, branch, head, "GITHUB_BASE_REF")


def _first_parent(repository: Repository, merge: str, head: str, label: str, how: str) -> Base | None:
    """Take the first parent where the checkout is the merge that the server made: the target as it was then."""
    sha = repository.resolve(head)
    parents = repository.parents(sha)
    if len(parents) != 2 or (merge and merge != sha):
        return None
    if repository.find(parents[0]) is None:
        raise RevisionError(
            f"the checkout is the merge {sha[:10]} alone, without its parent {parents[0][:10]} on {shown(label)}",
            place=Place(shown(label)),
            hint=f"git fetch --no-tags --deepen=1 origin {sha}; in a workflow: fetch-depth: 0",
        )
    return Base(parents[0], shown(label), how)


def _push(repository: Repository, environment: Mapping[str, str], head: str) -> Base:
    event = _event(environment)
    before, default = _text(event, "before"), _text(event, "repository", "default_branch")
    if event.get("deleted") is True or _is_zero(_text(event, "after")):
        raise NothingToCompare("the push deleted its branch; there is nothing to compare")
    if not before:
        raise RevisionError("the push event names no `before`", hint="name the base: --base REV")
    return _pushed(repository, before, default, head, "push")


def _pushed(repository: Repository, before: str, default: str, head: str, how: str) -> Base:
    """Compare a push with what was there before it; a new or rewritten branch with where it left the default one."""
    if not _is_zero(before) and repository.find(before) is not None:
        return _parted(repository, before, head, before[:10], f"{how}: the commit before")
    if _is_zero(before):
        why = "the branch is new"
    elif repository.is_shallow:
        # It may be there or gone; one commit back would leave out the rest of what was pushed.
        raise RevisionError(
            f"the clone is too shallow to have the commit before the push, {shown(before[:10])}",
            place=Place(shown(before[:10])),
            hint="git fetch --unshallow; in a workflow: fetch-depth: 0",
        )
    else:
        why = f"the commit before, {shown(before[:10])}, is gone: the branch was rewritten"
    sha = repository.resolve(head)
    if default:
        base = _branch(repository, default, head, f"{how}: {why}")
        if base.revision != sha:
            return base
    parents = repository.parents(sha)
    if parents and repository.find(parents[0]) is not None:
        return Base(parents[0], "the commit before", f"{how}: {why}", (f"{why}; compared with the parent of HEAD",))
    raise RevisionError(
        f"no base for this push: {why}",
        hint="git fetch --unshallow" if parents else "this is the first commit: there is nothing before it",
    )


def _event(environment: Mapping[str, str]) -> Mapping[str, object]:
    path = environment.get("GITHUB_EVENT_PATH", "")
    try:
        with Path(path).open("rb") as file:
            event = json.loads(file.read(_MOST_EVENT_BYTES))
    except (OSError, ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        raise RevisionError(
            "GITHUB_EVENT_PATH holds no readable event",
            place=Place(shown(path) or "''"),
            hint="name the base: --base REV",
        )
    return event


def _text(event: Mapping[str, object], *keys: str) -> str:
    value: object = event
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) else ""


def _is_zero(sha: str) -> bool:
    return bool(sha) and not sha.strip("0")


# GitLab


def _gitlab(repository: Repository, environment: Mapping[str, str], head: str) -> Base | None:
    if environment.get("GITLAB_CI") != "true" and "CI_MERGE_REQUEST_IID" not in environment:
        return None
    target = environment.get("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "")
    if environment.get("CI_MERGE_REQUEST_EVENT_TYPE") in {"merged_result", "merge_train"}:
        merged = _first_parent(repository, environment.get("CI_COMMIT_SHA", ""), head, target, "the merged result")
        if merged is not None:
            return merged
    sha = environment.get("CI_MERGE_REQUEST_DIFF_BASE_SHA", "")
    if sha:
        return _parted(repository, sha, head, target or sha[:10], "CI_MERGE_REQUEST_DIFF_BASE_SHA")
    if target:
        return _branch(repository, target, head, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME")
    if "CI_MERGE_REQUEST_IID" in environment:
        raise RevisionError("the merge request names no base and no target branch", hint="name the base: --base REV")
    before = environment.get("CI_COMMIT_BEFORE_SHA", "")
    if not before:
        return None
    return _pushed(repository, before, environment.get("CI_DEFAULT_BRANCH", ""), head, "CI_COMMIT_BEFORE_SHA")


# Everything else


def _other_systems(repository: Repository, environment: Mapping[str, str], head: str) -> Base | None:
    for variable, unless in _TARGET_BRANCH:
        branch = environment.get(variable, "")
        if branch and (not unless or environment.get(unless, "false") != "false"):
            return _branch(repository, branch.removeprefix("refs/heads/"), head, variable)
    return None


def _branch(repository: Repository, branch: str, head: str, how: str) -> Base:
    remote = f"refs/remotes/origin/{branch}"
    if repository.find(remote) is None:
        deepen = "--unshallow " if repository.is_shallow else ""
        raise RevisionError(
            f"the target branch is not in this clone: origin/{shown(branch)}",
            place=Place(shown(branch)),
            hint=f"git fetch --no-tags {deepen}origin +refs/heads/{shown(branch)}:{shown(remote)}",
        )
    return _parted(repository, remote, head, branch, how)


def _upstream(repository: Repository, environment: Mapping[str, str], head: str) -> Base | None:
    """Take the upstream, unless it is only the pushed copy of the branch itself: then nothing would differ."""
    name = repository.upstream()
    if name is None or repository.find(name) is None:
        return None
    own = (repository.ref("HEAD") or "").removeprefix("refs/heads/")
    is_copy = name.partition("/")[2] == own and own not in {"main", "master"}
    known = _remote_head(repository, environment, head) or _main(repository, environment, head) if is_copy else None
    return known or _parted(repository, name, head, name, "the upstream branch")


def _remote_head(repository: Repository, environment: Mapping[str, str], head: str) -> Base | None:
    target = repository.ref("refs/remotes/origin/HEAD")
    if target is None or repository.find(target) is None:
        return None
    return _parted(repository, target, head, target.removeprefix("refs/remotes/"), "origin/HEAD")


def _main(repository: Repository, environment: Mapping[str, str], head: str) -> Base | None:
    for name in ("origin/main", "origin/master", "main", "master"):
        reference = f"refs/remotes/{name}" if name.startswith("origin/") else f"refs/heads/{name}"
        if repository.find(reference) is not None:
            return _parted(repository, reference, head, name, f"the branch {name}")
    return None
