"""Which release of the program runs."""

from __future__ import annotations

from importlib.metadata import version

VERSION = version("brain-claims")
"""The version of the installed distribution; its name on the package index is not the name of the command."""
