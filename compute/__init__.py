"""Whether what is claimed holds: units, prices, formulas, evaluation, verdicts, the ledger, flags, health."""
