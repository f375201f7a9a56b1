"""Keep one comment on a pull request up to date: found by a hidden marker, written anew in place.

Nothing is written where there is nothing to say and nobody was told anything before. A token without permission, as
that of a fork, is no error. Everything comes in through the environment; the address is the runner's.
"""

from __future__ import annotations

import json
import os
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# What nobody needs a comment for, unless one is there that says otherwise.
QUIET = ("nothing-compared", "no-difference", "no-effect", "safe")
LONGEST = 60_000
PAGES = 30
PER_PAGE = 100
TIMEOUT = 30
FORBIDDEN = (401, 403, 404)
FAILED = "**compat could not check this change.** The log of the run says why."


@dataclass(frozen=True, slots=True)
class Conversation:
    """The comments of one pull request."""

    api: str
    number: int
    token: str

    def find(self, marker: str, author: str) -> dict[str, Any] | None:
        """Give the comment that begins with the marker and is our own; anybody can write a marker."""
        for page in range(1, PAGES + 1):
            path = f"issues/{self.number}/comments?per_page={PER_PAGE}&page={page}"
            comments: list[dict[str, Any]] = self._call("GET", path)
            for comment in comments:
                if comment["user"]["login"] == author and (comment["body"] or "").startswith(marker):
                    return comment
            if len(comments) < PER_PAGE:
                break
        return None

    def add(self, text: str) -> None:
        self._call("POST", f"issues/{self.number}/comments", {"body": text})

    def change(self, identity: int, text: str) -> None:
        self._call("PATCH", f"issues/comments/{identity}", {"body": text})

    def _call(self, method: str, path: str, content: object = None) -> Any:
        data = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(f"{self.api}/{path}", data, method=method)  # noqa: S310
        request.add_header("Accept", "application/vnd.github+json")
        request.add_header("Authorization", f"Bearer {self.token}")
        request.add_header("X-GitHub-Api-Version", "2022-11-28")
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310
            return json.loads(answer.read() or b"null")


def tell(environment: Mapping[str, str]) -> str:
    """Write the comment, or bring it up to date, and say what was done."""
    number, repository = _pull_request(environment), environment.get("GITHUB_REPOSITORY", "")
    if number is None or not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
        return "no pull request to comment on."
    key = re.sub(r"[^A-Za-z0-9_.]+", "-", environment.get("ACTION_KEY", ""))[:60]
    marker = f"<!-- compat:report{':' + key if key else ''} -->"
    server = environment.get("GITHUB_API_URL", "https://api.github.com").rstrip("/")
    talk = Conversation(f"{server}/repos/{repository}", number, environment.get("ACTION_TOKEN", ""))
    try:
        known = talk.find(marker, environment.get("ACTION_AUTHOR", "github-actions[bot]"))
        if known is None and environment.get("ACTION_STATUS") in QUIET:
            return "nothing to comment on."
        text = f"{marker}\n{_body(environment.get('ACTION_MARKDOWN', ''))}"
        if known is None:
            talk.add(text)
            return "comment written."
        if known["body"] == text:
            return "comment stands as it is."
        talk.change(int(known["id"]), text)
        return "comment brought up to date."
    except urllib.error.HTTPError as error:
        if error.code not in FORBIDDEN:
            raise
        return f"::notice::no permission to comment ({error.code}); the summary and the annotations say the same."


def _pull_request(environment: Mapping[str, str]) -> int | None:
    """Give the number of the pull request that the event is about."""
    try:
        event = json.loads(Path(environment.get("GITHUB_EVENT_PATH", "")).read_text(encoding="utf-8"))
        number = event["pull_request"]["number"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return number if isinstance(number, int) and number > 0 else None


def _body(path: str) -> str:
    try:
        text = Path(path).read_text(encoding="utf-8").strip() if path else FAILED
    except OSError:
        text = FAILED
    return text if len(text) <= LONGEST else text[:LONGEST] + "\n\n… cut off; the summary of the run has the rest."


if __name__ == "__main__":
    try:
        print(tell(os.environ))
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"{type(error).__name__}: {error}".replace("::", ": :").replace("\n", " "))
        sys.exit(1)
