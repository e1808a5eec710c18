"""The version of the schema, and file names of a home; imports no library, for programs that must start quickly."""

from __future__ import annotations

HEAD = "0016"
"""The newest migration; an up-to-date store opens without starting Alembic."""

RUN_JOURNAL = "runs.log"
"""The name of the journal of acknowledged runs in a home."""
