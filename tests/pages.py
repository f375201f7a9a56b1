"""An HTML file read strictly: elements that close in order, and what is wrong with them for people and browsers."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

VOID = frozenset({"meta", "input", "br", "link", "img", "hr"})
LINKING = ("aria-labelledby", "aria-describedby", "aria-controls", "for")


@dataclass
class Element:
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)

    def walk(self) -> Iterator[Element]:
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def all(self, tag: str, **attributes: str) -> list[Element]:
        wanted = {name.replace("_", "-"): value for name, value in attributes.items()}
        return [
            each
            for each in self.walk()
            if each.tag == tag and all(each.attributes.get(name) == value for name, value in wanted.items())
        ]

    def of_class(self, name: str) -> list[Element]:
        return [each for each in self.walk() if name in each.attributes.get("class", "").split()]

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"{tag} says something twice: {names}"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def read(text: str) -> Element:
    """Parse a page; an element that closes another, or none, is an error."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == [reader.root], f"never closed: {[each.tag for each in reader.open[1:]]}"
    return reader.root


def index(page: Element) -> list[dict[str, Any]]:
    """Give what the filter of a page knows."""
    (script,) = page.all("script", id="index")
    found: list[dict[str, Any]] = json.loads(script.text)
    return found


def shape(page: Element, *, without: frozenset[str] = frozenset()) -> list[tuple[str, list[str]]]:
    """Give the elements of a page and what they say about themselves, without what is said in them."""
    return [(each.tag, sorted(each.attributes)) for each in page.walk() if each.tag not in without]


def sound(text: str) -> Element:
    """Assert what holds of every page: it stands alone, runs only its own script, and leads people through."""
    page = read(text)
    assert text.startswith("<!DOCTYPE html>\n")
    _stands_alone(page)
    _leads(page)
    return page


def _stands_alone(page: Element) -> None:
    for each in page.walk():
        strange = [
            n for n in each.attributes if n.startswith("on") or n in ("style", "src", "srcset", "action", "ping")
        ]
        assert not strange, f"<{each.tag}> has {strange}"
        assert each.tag not in {"base", "iframe", "img", "link", "object", "embed", "svg", "template"}
        if "href" in each.attributes:
            assert each.attributes["href"].startswith("#")
    (style,), scripts = page.all("style"), page.all("script")
    assert [each.attributes.get("type") for each in scripts] == ["application/json", None]
    assert not re.search(r"url\(|@import|https?:", style.text)
    assert not re.search(r"fetch\(|XMLHttp|import\(|eval\(|innerHTML|https?:", scripts[1].text)
    (policy,) = page.all("meta", http_equiv="Content-Security-Policy")
    rules = dict(rule.strip().split(" ", 1) for rule in policy.attributes["content"].split(";"))
    assert rules == {
        "default-src": "'none'",
        "style-src": f"'{_digest(style.text)}'",
        "script-src": f"'{_digest(scripts[1].text)}'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _leads(page: Element) -> None:
    (html,) = page.all("html")
    assert html.attributes["lang"] == "en"
    for tag in ("title", "h1", "main", "nav"):
        (only,) = page.all(tag)
        assert only.text.strip()
    ids = Counter(each.attributes["id"] for each in page.walk() if "id" in each.attributes)
    assert not [name for name, number in ids.items() if number > 1]
    assert not [name for name in ids if not re.fullmatch(r"[A-Za-z][\w-]*", name)]
    for each in page.walk():
        names = " ".join(each.attributes.get(name, "") for name in LINKING).split()
        names += [each.attributes["href"][1:]] if "href" in each.attributes else []
        assert not [name for name in names if name not in ids], each
    levels = [int(each.tag[1]) for each in page.walk() if re.fullmatch("h[1-6]", each.tag)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels)), levels
    for table in page.all("table"):
        assert table.all("caption")
        assert all(each.attributes.get("scope") in ("row", "col") for each in table.all("th"))
        columns = {len(row.all("th") + row.all("td")) for row in table.all("tr")}
        assert len(columns) == 1, "every row has as many cells"
    for button in page.all("button"):
        assert button.attributes["type"] == "button"
        assert button.text.strip()
    assert {item["id"] for item in index(page)} == {each.attributes["id"] for each in page.of_class("item")}, (
        "the filter knows everything"
    )
