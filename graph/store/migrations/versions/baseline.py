"""The tables of version 0.1.0."""

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables; each dialect has its statements in a file, with an empty line between them."""
    sql = op.get_bind()
    statements = Path(__file__).with_name(f"baseline_{sql.dialect.name}.sql").read_text("utf-8")
    for statement in statements.split(";\n\n"):
        sql.exec_driver_sql(statement.strip().removesuffix(";"))
