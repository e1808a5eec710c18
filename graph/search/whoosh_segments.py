"""The fields of a Whoosh index, their formats, and its codec: its files name this module and these classes."""

from __future__ import annotations

from array import array
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from whoosh import columns, fields, formats
from whoosh.codec.whoosh3 import W3Codec

if TYPE_CHECKING:
    from graph.search.whoosh_writer import BlockWriter, FieldWriter

_Indexed = Generator[tuple[Any, int, float | int, Any], Any, None]


class Places(formats.Positions):
    """The positions of a word in a text, four bytes each; Whoosh pickles a list."""

    def encode(self, places: list[int]) -> bytes:
        """Encode positions."""
        return array("I", places).tobytes()

    def decode_positions(self, kept: bytes) -> list[int]:
        """Decode positions, ascending."""
        return array("I", kept).tolist()

    def decode_frequency(self, kept: bytes) -> int:
        """The number of positions."""
        return len(kept) // 4


class Stems(fields.TEXT):
    """A field of words that are already split, with their positions."""

    def __init__(self) -> None:
        super().__init__()
        self.format = Places()

    def index(self, value: list[str], **_options: object) -> _Indexed:
        """The complete text as one item, which `Postings` splits."""
        yield value, len(value), 1.0, b""


def schema() -> fields.Schema:
    """The fields: the serial of a node as a column of numbers, its text and its title as words."""
    numbers: Any = columns.NumericColumn  # Whoosh is only partly typed
    return fields.Schema(serial=fields.COLUMN(numbers("q")), text=Stems(), title=Stems())


class _Codec(W3Codec):
    """Whoosh's codec with the writers of `whoosh_writer`; it reads and writes the same files."""

    def field_writer(self, storage: Any, segment: Any) -> FieldWriter:  # noqa: ANN401  # untyped in Whoosh
        """The writer for the postings of a segment."""
        from graph.search.whoosh_writer import FieldWriter  # noqa: PLC0415  # brings in NumPy, which reading does not need

        return FieldWriter(self, storage, segment)  # type: ignore[no-untyped-call]  # Whoosh is only partly typed

    def postings_writer(self, postfile: Any, byteids: bool = False) -> BlockWriter:  # noqa: ANN401  # untyped in Whoosh
        """The writer for the postings of a word."""
        from graph.search.whoosh_writer import BlockWriter  # noqa: PLC0415  # as above

        blocks: Any = BlockWriter  # Whoosh is only partly typed
        made: BlockWriter = blocks(postfile, self._blocklimit, byteids, self._compression, self._inlinelimit)
        return made


def codec() -> _Codec:
    """The codec for writing."""
    return _Codec()  # type: ignore[no-untyped-call]  # Whoosh is only partly typed
