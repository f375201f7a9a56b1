"""The one comment on a pull request: written, brought up to date, taken back, and never in somebody else's name."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import PROJECT_ROOT

SCRIPTS = PROJECT_ROOT / ".github" / "action"
BOT = "github-actions[bot]"
MARKER = "<!-- compat:report -->"


class GitHub:
    """The comments of one pull request, behind the part of the API that is used."""

    def __init__(self) -> None:
        self.comments: list[dict[str, Any]] = []
        self.refused = 0
        self.asked: list[str] = []
        self.tokens: set[str] = set()

    def add(self, body: str, login: str = BOT) -> None:
        self.comments.append({"id": 100 + len(self.comments), "body": body, "user": {"login": login}})

    @property
    def own(self) -> list[str]:
        return [comment["body"] for comment in self.comments if comment["user"]["login"] == BOT]

    def answer(self, method: str, address: str, content: dict[str, Any] | None) -> tuple[int, object]:
        self.asked.append(f"{method} {address}")
        parts = urlsplit(address)
        if self.refused and (method != "GET" or self.refused == 401):
            return self.refused, {"message": "no"}
        if (method, parts.path) == ("GET", "/repos/owner/shop/issues/7/comments"):
            page = int(parse_qs(parts.query)["page"][0])
            return 200, self.comments[100 * (page - 1) : 100 * page]
        if (method, parts.path) == ("POST", "/repos/owner/shop/issues/7/comments") and content is not None:
            self.add(content["body"])
            return 201, {}
        for comment in self.comments:
            if (method, parts.path) == ("PATCH", f"/repos/owner/shop/issues/comments/{comment['id']}") and content:
                comment["body"] = content["body"]
                return 200, {}
        return 404, {}


@pytest.fixture
def github() -> Iterator[tuple[GitHub, str]]:
    state = GitHub()

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            content = json.loads(self.rfile.read(length)) if length else None
            state.tokens.add(self.headers.get("Authorization", ""))
            status, value = state.answer(self.command, self.path, content)
            data = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = _serve  # noqa: N815 - the names are the library's

        def log_message(self, format: str, *args: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield state, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


Comment = Callable[..., str]


@pytest.fixture
def comment(tmp_path: Path, github: tuple[GitHub, str]) -> Comment:
    """Run the comment step and give its log; it never fails the job."""
    if not SCRIPTS.is_dir():
        pytest.skip("no checkout: .github/ is not part of an installation")

    def run(text: str | None, status: str, event: object = None, **more: str) -> str:
        report, payload = tmp_path / "report.md", tmp_path / "event.json"
        report.write_text(text or "", encoding="utf-8")
        payload.write_text(json.dumps({"pull_request": {"number": 7}} if event is None else event), encoding="utf-8")
        environment = {
            "PATH": os.environ["PATH"],
            "RUNNER_TEMP": str(tmp_path),
            "GITHUB_EVENT_PATH": str(payload),
            "GITHUB_REPOSITORY": "owner/shop",
            "GITHUB_API_URL": github[1],
            "ACTION_PATH": str(PROJECT_ROOT),
            "ACTION_PYTHON": sys.executable,
            "ACTION_TOKEN": "secret-token",
            "ACTION_AUTHOR": BOT,
            "ACTION_STATUS": status,
            "ACTION_MARKDOWN": "" if text is None else str(report),
            **more,
        }
        script = str(SCRIPTS / "comment.sh")
        done = subprocess.run(["bash", script], env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "secret-token" not in done.stdout + done.stderr
        return done.stdout

    return run


def test_one_comment_is_written_and_kept_up_to_date(github: tuple[GitHub, str], comment: Comment) -> None:
    state = github[0]
    state.add("a review", "ada")
    assert comment("**1 breaking**", "breaking") == "comment written.\n"
    assert comment("**2 breaking**", "breaking") == "comment brought up to date.\n"
    assert comment("**2 breaking**", "breaking") == "comment stands as it is.\n"
    # The break is taken back: the comment says so, instead of standing there.
    assert comment("**safe**", "safe") == "comment brought up to date.\n"
    assert state.own == [f"{MARKER}\n**safe**"]
    assert state.comments[0]["body"] == "a review"
    assert state.tokens == {"Bearer secret-token"}


@pytest.mark.parametrize("status", ["nothing-compared", "no-difference", "no-effect", "safe"])
def test_nobody_is_told_that_there_is_nothing(github: tuple[GitHub, str], comment: Comment, status: str) -> None:
    assert comment("nothing", status) == "nothing to comment on.\n"
    assert github[0].comments == []


@pytest.mark.parametrize("status", ["risky", "unknown", "breaking", "error", ""])
def test_everything_else_is_told(github: tuple[GitHub, str], comment: Comment, status: str) -> None:
    comment("text", status)
    assert len(github[0].own) == 1


def test_what_could_not_be_checked_is_not_called_fine(github: tuple[GitHub, str], comment: Comment) -> None:
    comment("**1 breaking**", "breaking")
    comment(None, "error")
    assert github[0].own == [f"{MARKER}\n**compat could not check this change.** The log of the run says why."]


def test_checks_of_their_own_have_comments_of_their_own(github: tuple[GitHub, str], comment: Comment) -> None:
    comment("a", "breaking", ACTION_KEY="orders")
    comment("b", "breaking", ACTION_KEY="lanes --> x")
    comment("c", "breaking", ACTION_KEY="orders")
    assert github[0].own == ["<!-- compat:report:orders -->\nc", "<!-- compat:report:lanes-x -->\nb"]


def test_a_marker_that_somebody_else_wrote_is_left_to_them(github: tuple[GitHub, str], comment: Comment) -> None:
    github[0].add(f"{MARKER}\nforged", "mallory")
    comment("**1 breaking**", "breaking")
    assert [one["body"] for one in github[0].comments] == [f"{MARKER}\nforged", f"{MARKER}\n**1 breaking**"]


def test_the_comment_is_found_behind_many_others(github: tuple[GitHub, str], comment: Comment) -> None:
    for number in range(150):
        github[0].add(f"talk {number}", "ada")
    comment("a", "breaking")
    comment("b", "breaking")
    assert github[0].own == [f"{MARKER}\nb"]


@pytest.mark.parametrize("code", [401, 403, 404])
def test_without_permission_nothing_fails(github: tuple[GitHub, str], comment: Comment, code: int) -> None:
    github[0].refused = code
    assert comment("x", "breaking").startswith(f"::notice::no permission to comment ({code})")


@pytest.mark.parametrize("code", [500, 429])
def test_nor_does_it_when_the_server_has_troubles(github: tuple[GitHub, str], comment: Comment, code: int) -> None:
    github[0].refused = code
    assert "::notice::compat could not write its comment" in comment("x", "breaking")


@pytest.mark.parametrize(
    "event",
    [{}, {"pull_request": {}}, {"pull_request": {"number": "7/../8"}}, []],
)
def test_without_a_pull_request_nobody_is_asked(github: tuple[GitHub, str], comment: Comment, event: object) -> None:
    assert comment("x", "breaking", event) == "no pull request to comment on.\n"
    assert github[0].asked == []


@pytest.mark.parametrize("repository", ["owner", "owner/shop/../../x", "owner/shop?x=", ""])
def test_a_repository_that_is_none_is_not_asked(github: tuple[GitHub, str], comment: Comment, repository: str) -> None:
    comment("x", "breaking", GITHUB_REPOSITORY=repository)
    assert github[0].asked == []


def test_a_long_report_is_cut(github: tuple[GitHub, str], comment: Comment) -> None:
    comment("x" * 70_000, "breaking")
    (body,) = github[0].own
    assert len(body) < 65_000
    assert body.endswith("the summary of the run has the rest.")
