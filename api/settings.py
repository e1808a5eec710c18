"""The settings, read once at the entry point from the environment (`BRAIN_…`) and the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from graph.database_address import address_fault

SHIPPED = Path(__file__).resolve().parents[1] / "content"  # the folder of the included brain


class Settings(BaseSettings):
    """Every setting of the service; each is the environment variable `BRAIN_` and its name in capitals."""

    model_config = SettingsConfigDict(env_prefix="BRAIN_", extra="ignore", frozen=True)

    home: Path = Field(Path(".brain"), description="The data directory.")
    db: str | None = Field(None, description="A PostgreSQL address, in place of brain.db in the data directory.")
    search: Literal["auto", "whoosh", "database"] = Field(
        "auto", description="The search engine: whoosh, database, or by the number of nodes."
    )
    token: SecretStr | None = Field(
        None, description="Allows writes over HTTP to clients that send it. Unset: read-only."
    )
    url: str | None = Field(
        None, description="The public address of the service, for links, feeds and IRIs. Unset: the address in use."
    )
    cors: str = Field("", description="Origins that may read from a browser, separated by commas; * for all.")
    allowed_hosts: str = Field("", description="Further accepted Host names, separated by commas; * for any.")
    webhook_url: str | None = Field(
        None, description="Where notices go: addresses separated by spaces, as in the table of docs/nights.md."
    )
    webhook_secret: SecretStr | None = Field(None, description="Signs the webhooks: whsec_ and base64.")
    smtp_url: SecretStr | None = Field(
        None, description="The mail server of mailto: receivers: smtp://user:password@host:587, or smtps://…"
    )
    mail_from: str | None = Field(None, description="The sender of the mails.")
    owners: str = Field(
        "", description="Where owners of claims get their notices: name=address pairs, separated by spaces."
    )
    remind_days: int = Field(
        7, ge=0, description="Flags that stay raised are reported again after this many days; 0 disables reminders."
    )
    sparql_seconds: float = Field(5.0, gt=0, description="A SPARQL query is stopped after this many seconds.")
    max_body: int = Field(16 * 1024 * 1024, gt=0, description="The largest request body, in bytes.")
    proof_seconds: float = Field(
        20.0, gt=0, description="Checking one text over HTTP is stopped after this many seconds of processor time."
    )
    nightly_seconds: float = Field(900.0, gt=0, description="The nightly job stops after this many seconds.")

    offline: bool = Field(False, description="No price list is fetched.")
    genai_prices_url: str | None = Field(None, description="Where prices refresh fetches genai-prices; empty: nowhere.")
    ecb_url: str | None = Field(None, description="Where prices refresh fetches the ECB's rates; empty: nowhere.")
    litellm_url: str | None = Field(None, description="Where prices refresh fetches LiteLLM's map; empty: nowhere.")
    skypilot_url: str | None = Field(
        None, description="Where prices refresh fetches SkyPilot's vms.csv files, separated by spaces; empty: nowhere."
    )
    gpuhunt_url: str | None = Field(None, description="Where prices refresh fetches gpuhunt's zip; empty: nowhere.")

    @field_validator("db")
    @classmethod
    def _server(cls, text: str | None) -> str | None:
        """Refuse a path: it would make a new and empty brain in the current folder."""
        fault = address_fault(text) if text else None
        if fault:
            raise ValueError(fault)
        return text

    @property
    def database(self) -> str:
        """The address of the store: `db`, else the SQLite file in the data directory."""
        return self.db or f"sqlite:///{self.home / 'brain.db'}"
