"""Verification: all claims on a day, one claim explained, scenarios and forecasts."""
