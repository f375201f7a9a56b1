"""HTML reports in a real browser: nothing is fetched, and hand, eye and keyboard find what they look for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browsing import MISSING, browser
from histories import history
from reports import REPORTS, full

from compat.assess import Report
from compat.report import html, html_log

pytestmark = [pytest.mark.long, pytest.mark.skipif(bool(MISSING), reason=f"there is no browser here: {MISSING}")]

EVIL = "</script><script>document.title='owned'</script><img src=//evil.example/x onerror=alert(1)>\u2028\"'`${1}"

# Every text that is seen with less contrast to what is behind it than WCAG asks for (4.5, of large text 3).
PALE = """() => {
  const light = (rgb) => {
    const linear = (part) => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4;
    const [r, g, b] = rgb.map((part) => linear(part / 255));
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const read = (color) => color.match(/[\\d.]+/g).map(Number);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = read(getComputedStyle(at).backgroundColor);
      if (color.length < 4 || color[3] === 1) return color.slice(0, 3);
    }
    return [255, 255, 255];
  };
  const found = new Set();
  for (const element of document.querySelectorAll("body *:not(script, option)")) {
    const says = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!says || !element.checkVisibility() || element.closest(".unseen")) continue;
    const style = getComputedStyle(element);
    const [one, other] = [light(read(style.color).slice(0, 3)), light(behind(element))].sort((a, b) => b - a);
    const asked = parseFloat(style.fontSize) >= 24 ? 3 : 4.5;
    if ((one + .05) / (other + .05) < asked) found.add(`${element.tagName}.${element.className}`);
  }
  return [...found];
}"""


def evil() -> Report:
    report = full()
    schema = report.schemas[0]
    findings = tuple(
        replace(each, message=EVIL, instance_path=f"/{EVIL.replace('/', '~1')}") for each in schema.findings
    )
    return replace(report, schemas=(replace(schema, name=EVIL, lineage=EVIL, findings=findings),), notes=(EVIL,))


PAGES: dict[str, Callable[[], str]] = {
    **{name: (lambda make=make: html.render(make(), version="1")) for name, make in REPORTS.items()},  # type: ignore[misc]
    "evil": lambda: html.render(evil(), version="1"),
    "log": lambda: html_log.render([history("schemas/a.json"), history("schemas/b.json")], [], version="1"),
    "evil-log": lambda: html_log.render([history(EVIL)], [], version="1"),
}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as running:
        yield running


@pytest.fixture
def visit(chromium: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Open a page; what it asks the network for and whatever goes wrong in it fails the test."""
    opened: list[Any] = []
    trouble: list[str] = []

    def open_page(name: str, fragment: str = "", **context: Any) -> Any:
        path = tmp_path / f"{name}.html"
        path.write_text(PAGES[name](), encoding="utf-8")
        page = chromium.new_page(**context)
        page.on(
            "request", lambda request: None if request.url.startswith(path.as_uri()) else trouble.append(request.url)
        )
        page.on("console", lambda message: trouble.append(message.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("dialog", lambda dialog: trouble.append(dialog.message))
        page.goto(path.as_uri() + fragment)
        opened.append(page)
        return page

    yield open_page
    for page in opened:
        page.close()
    assert trouble == []


def shown(page: Any) -> int:
    return int(page.locator(".item:visible").count())


def focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement.closest('.item')?.id ?? document.activeElement.id"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_readable_at_any_width(visit: Callable[..., Any], name: str, scheme: str) -> None:
    page = visit(name, viewport={"width": 1400, "height": 900}, color_scheme=scheme)
    assert page.title().startswith("compat")
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    for width in (1400, 900, 420):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(PALE) == []


def test_words_kinds_and_rules_narrow_what_is_shown(visit: Callable[..., Any]) -> None:
    page = visit("full")
    total = shown(page)
    status = page.locator("#shown")
    assert status.text_content() == f"{total} findings"
    page.fill("#query", "HARNESS  enum-value")
    assert (shown(page), status.text_content()) == (1, f"1 of {total} findings")
    assert page.locator("section[data-group]:visible").count() == 1
    page.fill("#query", "nothing is called so")
    assert shown(page) == 0
    assert page.locator("#nothing").is_visible()
    page.press("#query", "Escape")
    assert shown(page) == total
    page.click(".chip.risky")
    assert shown(page) == int(page.locator(".chip.risky b").text_content())
    assert page.get_attribute(".chip.risky", "aria-pressed") == "true"
    page.click("#clear")
    assert (shown(page), focused(page)) == (total, "query")
    page.select_option("#tag", "enum-value-removed")
    assert shown(page) == 1


def test_lineages_narrow_a_history(visit: Callable[..., Any]) -> None:
    page = visit("log")
    page.select_option("#group", "schemas/b.json")
    assert shown(page) == 6
    assert page.locator("section.lineage:visible").count() == 1
    page.click(".chip.breaking")
    assert shown(page) == 1


def test_the_keyboard_goes_from_one_to_the_next(visit: Callable[..., Any]) -> None:
    page = visit("full")
    names = page.eval_on_selector_all(".item", "all => all.map((each) => each.id)")
    for key, place in (("j", 0), ("j", 1), ("ArrowDown", 2), ("k", 1), ("ArrowUp", 0), ("k", 0)):
        page.keyboard.press(key)
        assert focused(page) == names[place], key
    page.keyboard.press("Enter")
    assert page.locator(f"#{names[0]} details").get_attribute("open") is None
    page.keyboard.press("/")
    assert focused(page) == "query"
    page.keyboard.type("jk/")
    assert page.input_value("#query") == "jk/"
    page.keyboard.press("Escape")
    assert page.input_value("#query") == ""
    assert shown(page) == len(names)
    outline = page.eval_on_selector("summary", "one => { one.focus(); return getComputedStyle(one).outlineStyle; }")
    assert outline == "solid"


def test_a_link_opens_what_it_leads_to_whatever_the_filter_says(visit: Callable[..., Any]) -> None:
    waived = full().schemas[0].findings[-1].fingerprint
    page = visit("full", f"#finding-{waived}")
    page.wait_for_function(f"document.activeElement.closest('.item')?.id === 'finding-{waived}'")
    assert page.locator(f"#finding-{waived} details").get_attribute("open") is not None
    page.fill("#query", "nothing is called so")
    page.evaluate(f"location.hash = ''; location.hash = '#finding-{waived}'")
    page.wait_for_function("document.getElementById('query').value === ''")
    assert page.locator(f"#finding-{waived}").is_visible()


def test_the_theme_is_the_systems_until_another_is_chosen(visit: Callable[..., Any]) -> None:
    page = visit("full", color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.click("#theme")
    assert page.locator("#theme-name").text_content() == "light"
    light = page.evaluate(ground)
    assert light != dark
    page.reload()
    assert page.evaluate(ground) == light
    page.click("#theme")
    assert page.evaluate(ground) == dark


def test_paper_shows_what_is_folded(visit: Callable[..., Any]) -> None:
    page = visit("full", color_scheme="dark")
    assert page.locator("details:not([open])").count() > 0
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator("#controls").is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details:not([open])").count() > 0


def test_without_scripts_everything_is_there(chromium: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(PAGES["full"](), encoding="utf-8")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert shown(page) == len(list(full().every_finding()))
    assert not page.locator("#controls").is_visible()
    context.close()
