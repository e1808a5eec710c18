"""The rules for names from outside, checked by every format, front matter, `brain.yaml`, CLI, HTTP API and the store.

brain      mara                  lower-case ASCII letters and digits, joined by single hyphens
node id    mara/batch-discount   a brain, a slash, a slug: the same with letters and digits of all scripts
document   notes/batch.md        a relative path: no empty part, no `.`, no `..`, no `\\`, no control characters
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

from graph.ids import ascii_slug, is_slug

LONGEST_PART = 160
"""Maximum characters of a brain or a slug; with suffix and extension a file name on every system (255 bytes)."""

LONGEST_DOCUMENT = 1000  # maximum characters of a document's name

LONGEST_FILE_NAME = 255  # maximum UTF-8 bytes of one part of a document's name: the limit of file systems

DOCUMENT_PATTERN = (
    r"^[^/\\\x00-\x1f\x7f-\x9f\u2028\u2029]*[^/\\\x00-\x1f\x7f-\x9f\u2028\u2029.][^/\\\x00-\x1f\x7f-\x9f\u2028\u2029]*"
    r"(?:/[^/\\\x00-\x1f\x7f-\x9f\u2028\u2029]*[^/\\\x00-\x1f\x7f-\x9f\u2028\u2029.][^/\\\x00-\x1f\x7f-\x9f\u2028\u2029]*)*$"
)
"""A document's name, for the API description; `check_document` also refuses drives such as `C:`."""

_PART = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_DRIVE = re.compile(r"[A-Za-z]:(?:/|$)")
_RESERVED = re.compile(r"con|prn|aux|nul|com\d|lpt\d")


class InvalidNameError(ValueError):
    """A name is not valid."""

    def __init__(self, kind: str, name: str, reason: str) -> None:
        shown = name if len(name) <= 80 else name[:79] + "…"
        super().__init__(f"the {kind} {shown!a} is not valid: {reason}")
        self.kind, self.name, self.reason = kind, name, reason


def check_brain(name: str) -> str:
    """The name of a brain, checked. Raises InvalidNameError."""
    return _checked("brain", name, name)


def check_node_id(name: str, brain: str | None = None) -> str:
    """A node id, of `brain` if given, checked. Raises InvalidNameError."""
    owner, slash, part = name.partition("/")
    if not slash:
        raise InvalidNameError("node id", name, "it has the form brain/slug")
    _checked("node id", name, owner)
    if part.isascii() or len(part) > LONGEST_PART:
        _checked("node id", name, part)
    elif not is_slug(part):
        raise InvalidNameError("node id", name, "only lower-case letters, digits and single hyphens are allowed")
    if brain is not None and owner != brain:
        raise InvalidNameError("node id", name, f"it does not begin with the brain {brain!a}")
    return name


def _checked(kind: str, name: str, part: str) -> str:
    if len(part) > LONGEST_PART:
        raise InvalidNameError(kind, name, f"longer than {LONGEST_PART} characters")
    if not _PART.fullmatch(part):
        raise InvalidNameError(kind, name, "only a-z, 0-9 and single hyphens between them are allowed")
    return part


def brain_named(text: str) -> str:
    """The stored form of a brain's name: `Mara Ohlsson` is `mara-ohlsson`. Raises InvalidNameError."""
    name = text.strip()
    if _CONTROL.search(name):
        raise InvalidNameError("brain", name, "it has control characters")
    if "/" in name or "\\" in name:
        raise InvalidNameError("brain", name, "a brain's name is no path: leave out the slashes")
    if not any(sign.isalnum() for sign in name):
        raise InvalidNameError("brain", name, "it has no letter and no digit")
    return check_brain(ascii_slug(name.lstrip("@")))


def check_document(name: str) -> str:
    """The name of a document, a relative path, checked. Raises InvalidNameError."""
    parts = name.split("/")
    longest = max(len(part.encode("utf-8", "replace")) for part in parts)
    faults = (
        (bool(_CONTROL.search(name)), "it has control characters"),
        ("\\" in name, "use / between folders, not \\"),
        (name.startswith("/") or bool(_DRIVE.match(name)), "it must be relative: no leading / and no drive"),
        (any(not part.strip(".") for part in parts), "no part of it may be empty or consist of dots"),
        (len(name) > LONGEST_DOCUMENT, f"longer than {LONGEST_DOCUMENT} characters"),
        (longest > LONGEST_FILE_NAME, f"one part is longer than {LONGEST_FILE_NAME} bytes"),
    )
    for wrong, reason in faults:
        if wrong:
            raise InvalidNameError("document name", name, reason)
    return name


def note_file(node_id: str) -> str:
    """The relative path of a node's note: `brain/slug.md`, with `_` after a name that Windows reserves (`con_.md`).

    An id that breaks the rules (of an older version) becomes a slug and a digest, so no path leaves its folder.
    """
    owner, _, part = node_id.partition("/")
    return f"{_file_name(owner)}/{_file_name(part)}.md"


def _file_name(part: str) -> str:
    fits = len(part) <= LONGEST_PART and len(part.encode("utf-8", "surrogatepass")) + len("_.md") <= LONGEST_FILE_NAME
    if not fits or not (_PART.fullmatch(part) if part.isascii() else is_slug(part)):
        digest = hashlib.sha256(part.encode("utf-8", "surrogatepass")).hexdigest()
        return f"{ascii_slug(part)}_{digest[:16]}"
    return f"{part}_" if _RESERVED.fullmatch(part) else part


def same_file(path: str) -> str:
    """A key that is equal for paths that some file system does not distinguish."""
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
