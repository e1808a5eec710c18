"""Verification: all claims on a day, one claim explained, and forecasts."""
