"""Frozen values: notes, claims, verdicts, documents, alerts, and what queries return."""
