"""The parts of a brain page: its head, its sections, their entries; sources in lists."""
