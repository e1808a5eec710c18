"""The record: how long the figures of claims live, replayed over the price history and as stored runs saw them."""
