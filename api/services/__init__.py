"""What the brain does, by subject: documents in, prices, claims. Each takes open parts and returns values."""
