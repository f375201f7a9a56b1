"""Formats as their own specifications define them; the official suite has most of the cases."""

from __future__ import annotations

import subprocess
import sys

import pytest

from compat.model.formats import test_format as holds


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("date", "2024-02-29", "2023-02-29"),
        ("date", "2000-02-29", "1900-02-29"),
        ("date", "0000-01-01", "2024-1-01"),
        ("date", "2024-12-31", "2024-13-01"),
        ("time", "23:59:60Z", "22:59:60Z"),
        ("time", "15:59:60-08:00", "15:59:60+08:00"),
        ("time", "00:00:00.123456789z", "00:00:00"),
        ("time", "12:00:00+23:59", "12:00:00+24:00"),
        ("date-time", "2024-02-29T00:00:00Z", "2024-02-29 00:00:00Z"),
        ("date-time", "1990-12-31T23:59:60Z", "1990-12-31T23:59:61Z"),
        ("duration", "P1Y2M3DT4H5M6S", "P1Y3D"),
        ("duration", "P4W", "P4W1D"),
        ("duration", "PT1M", "PT"),
        ("email", "a.b+c@example.com", "a..b@example.com"),
        ("email", '"a b"@example.com', "a b@example.com"),
        ("email", "a@[127.0.0.1]", "a@[127.0.0.256]"),
        ("email", "a@[IPv6:::1]", "a@[::1]"),
        ("idn-email", "ä@ö.example", "ä ö@example.com"),
        ("hostname", "a-b.example", "-a.example"),
        ("hostname", "a" * 63, "a" * 64),
        ("hostname", ".".join(["a" * 63] * 3) + ".b", ".".join(["a" * 63] * 4)),
        ("hostname", "xn--bcher-kva", "xn--"),
        ("ipv4", "255.0.0.1", "256.0.0.1"),
        ("ipv4", "0.0.0.0", "01.0.0.0"),
        ("ipv4", "1.2.3.4", "1.2.3.٤"),
        ("ipv6", "::ffff:1.2.3.4", "1::2::3"),
        ("ipv6", "fe80::1", "fe80::1%eth0"),
        ("uuid", "2EB8AA08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08aa9811eab4aa73b441d16380"),
        ("uri", "http://[::1]:80/a?b#c", "http://[zz]/"),
        ("uri", "urn:a:b", "//host/path"),
        ("uri", "http://a/%41", "http://a/%4"),
        ("uri", "file:///a", "http://a/b c"),
        ("uri", "http://[v1.a:b]/", "http://a:b/"),
        ("uri-reference", "//host/path", "a:b c"),
        ("uri-reference", "./a:b", "1a:b"),
        ("uri-reference", "", "\\a"),
        ("iri", "http://ä.example/ö", "http://ä.example/ ö"),
        ("iri-reference", "ä/ö", "ä\\ö"),
        ("uri-template", "http://x/{a,b*}{?c:3}", "http://x/{a"),
        ("uri-template", "{+a.b}", "{a..b}"),
        ("json-pointer", "/a~1b/~0", "/a~2"),
        ("json-pointer", "", "a"),
        ("relative-json-pointer", "1+1/a", "01/a"),
        ("relative-json-pointer", "0#", "#"),
        ("regex", "^(?<n>a)\\k<n>$", "^(?P<n>a)$"),
        ("regex", "[^]", "a{2,1}"),
    ],
)
def test_one_of_it_and_one_that_only_looks_alike(name: str, good: str, bad: str) -> None:
    assert holds(name, good) is True
    assert holds(name, bad) is False


@pytest.mark.parametrize(
    "name",
    ["date", "time", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid", "uri", "json-pointer"],
)
@pytest.mark.parametrize("good", ["2024-01-01", "00:00:00Z", "P1D", "a@b.c", "a", "1.2.3.4", "::1", "urn:a", "/a"])
def test_a_line_feed_at_the_end_is_part_of_the_text(name: str, good: str) -> None:
    assert holds(name, good + "\n") is (name == "json-pointer" and good == "/a")


@pytest.mark.parametrize("name", ["idn-hostname", "color", "x-mine", ""])
def test_unknown_formats_say_nothing(name: str) -> None:
    assert holds(name, "anything") is None


def test_no_pattern_is_compiled_before_a_format_is_asked() -> None:
    """Importing the formats is part of every check; compiling them took longer than all else that it imports."""
    program = """
import ipaddress, re, sys, typing
compiled, compile_ = [], re.compile
re.compile = lambda source, flags=0: compiled.append(source) or compile_(source, flags)
import compat.model.formats as formats
assert "jsonschema" not in sys.modules
assert not compiled, compiled
assert formats.test_format("date", "2026-02-28") and not formats.test_format("date", "2026-02-29")
assert len(compiled) == 1, compiled
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
