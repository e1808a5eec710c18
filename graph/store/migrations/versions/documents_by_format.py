"""An index of documents by format: without it each stored note reads all documents, for lists of tags and units."""

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the index."""
    op.create_index("ix_documents_format_current_name", "documents", ["format", "current", "name"])
