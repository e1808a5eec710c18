"""How values look in a terminal: functions from a value to something rich prints; no store, no printing."""
