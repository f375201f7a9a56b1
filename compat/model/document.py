"""One document: a value, the text it was read from, and where in it everything stands."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property

from compat import jsonvalue
from compat.errors import ParseError, Place
from compat.jsonvalue import JSON
from compat.model.glance import Glance, glance
from compat.model.jsontext import marks, read_json, surrogates
from compat.model.text import MAX_BYTES, MAX_DEPTH, Mark, Position, Syntax, Text, TextError, decode
from compat.model.yamltext import read_yaml

__all__ = ["MAX_BYTES", "MAX_DEPTH", "Document", "Position", "Syntax", "document_of", "parse_document"]

_COMMON = 1 << 64


class _Marked:
    """A text with its marks, which are looked for only when somebody asks."""

    def __init__(self, text: Text, known: Mark | None = None) -> None:
        self.text = text
        self._known = known

    @cached_property
    def root(self) -> Mark:
        return marks(self.text.content) if self._known is None else self._known


@dataclass(frozen=True, eq=False)
class Document:
    """A parsed value with its name, its base URI and its source; compared by identity.

    `name` is what people see. `uri` is the base URI where the schema states no `$id`; it may be empty.
    """

    name: str
    uri: str
    value: JSON = field(repr=False)
    notes: tuple[str, ...] = ()
    _source: _Marked | None = field(default=None, repr=False)

    @property
    def text(self) -> str | None:
        """The characters this was read from, without a byte order mark; None for a value that was never text."""
        return None if self._source is None else self._source.text.content

    @cached_property
    def digest(self) -> str:
        """The identity of the content, whatever its spelling."""
        return jsonvalue.digest(self.value)

    @cached_property
    def glance(self) -> Glance:
        """What is written anywhere in it."""
        return glance(self.value, self.name)

    def position(self, pointer: str) -> Position | None:
        """Give line and column of the value a JSON Pointer names; for a member of an object, of its key."""
        mark = self._mark(pointer)
        return None if mark is None or self._source is None else self._source.text.position(mark.offset)

    def place(self, pointer: str = "") -> Place:
        """Give a pointer's place, with line and column where the document has a text."""
        at = self.position(pointer)
        return Place(self.name, pointer, *(() if at is None else (at.line, at.column)))

    def excerpt(self, pointer: str) -> str | None:
        """Give the source line on which a value starts, cut to a window where it is very long."""
        mark = self._mark(pointer)
        return None if mark is None or self._source is None else self._source.text.excerpt(mark.offset)

    def replaced(self, value: JSON) -> Document:
        """Give a document of another value that keeps this one's name, text and positions."""
        return replace(self, value=value)

    def _mark(self, pointer: str) -> Mark | None:
        if self._source is None:
            return None
        try:
            tokens = jsonvalue.tokens(pointer)
        except ValueError:
            return None
        return self._source.root.at(tokens)


def parse_document(data: bytes | str, *, name: str, uri: str = "", syntax: Syntax | None = None) -> Document:
    """Read a JSON or YAML text; the syntax is guessed by the suffix of `name` where none is given.

    Raises ParseError with line and column. Numbers keep what was written: int, float where that is exact, else Decimal.
    """
    content, notes = decode(data, name)
    text = Text(name, content)
    try:
        if (syntax or Syntax.of(name)) is Syntax.YAML:
            value, root, more = read_yaml(text)
            return Document(name, uri, value, notes + more, _Marked(text, root))
        value = read_json(content)
    except TextError as fault:
        text.refuse(fault)
    if surrogates(content):
        notes += ("a string holds half a character (a lone surrogate), which UTF-8 cannot write",)
    return Document(name, uri, value, notes, _Marked(text))


def document_of(value: JSON | Document, *, name: str = "<value>") -> Document:
    """Make a document of a value that is parsed already; a document is given back as it is.

    Raises ParseError where the value is no JSON value, or nests too deeply.
    """
    if isinstance(value, Document):
        return value
    document = Document(name, "", value)
    if not document.glance.is_plain:
        _check(value, name)
    return document


def _check(value: object, name: str) -> None:
    """Go down level by level; what has more levels than allowed may have no end."""
    level: list[object] = [value]
    depth = 0
    while level:
        below: list[object] = []
        for item in level:
            if isinstance(item, str):
                continue
            if isinstance(item, dict):
                below.extend(item.values())
                # Keys of another type are told from strings by what joins strings.
                try:
                    "".join(item)
                except TypeError:
                    raise ParseError("a key is no string; JSON has only string keys", place=Place(name)) from None
            elif isinstance(item, list):
                below.extend(item)
            elif item is not None and not (isinstance(item, int) and -_COMMON < item < _COMMON):
                _check_number(item, name)
        depth += 1
        if depth >= MAX_DEPTH and any(isinstance(item, dict | list) for item in below):
            raise ParseError(f"the value nests deeper than {MAX_DEPTH} levels", place=Place(name))
        level = below


def _check_number(item: object, name: str) -> None:
    if isinstance(item, int):
        if abs(item) >= 10**jsonvalue.MAX_EXPONENT:
            raise ParseError(f"a number of more than {jsonvalue.MAX_EXPONENT:,} digits is not read", place=Place(name))
    elif isinstance(item, float):
        if item - item != 0:
            raise ParseError(f"{item!r} is no JSON number", place=Place(name))
    elif isinstance(item, Decimal):
        long = item.is_finite() and len(item.as_tuple().digits) > jsonvalue.MAX_EXPONENT
        if long or not item.is_finite() or abs(item.adjusted()) > jsonvalue.MAX_EXPONENT:
            raise ParseError(f"the number {item} is not read", place=Place(name))
    else:
        raise ParseError(f"a value of type {type(item).__name__} is no JSON value", place=Place(name))
