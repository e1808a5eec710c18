"""Runs: the ledger, flags, silences, notices, webhooks and the nightly job."""
