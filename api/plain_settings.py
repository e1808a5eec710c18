"""What of the settings can be known without reading them; imports no library, for programs that must start quickly."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

HOME = Path(".brain")
"""The data directory if none is named."""

TEXTS = frozenset({
    "home", "token", "url", "cors", "allowed_hosts", "webhook_url", "webhook_secret", "smtp_url", "mail_from", "owners",
    "genai_prices_url", "ecb_url", "litellm_url", "llm_prices_url", "skypilot_url",
})  # fmt: skip
"""The settings that are any text, so that no value of them is wrong, and that change nothing of what a search finds."""


def only_texts(environment: Mapping[str, str]) -> bool:
    """Whether only settings of `TEXTS` are set: then the settings are valid, and need not be read to know it."""
    return all(_is_text(name, value) for name, value in environment.items() if name.upper().startswith("BRAIN_"))


def _is_text(name: str, value: str) -> bool:
    return name.isupper() and name[6:].lower() in TEXTS and value != "" and value.isprintable()
