"""Prices of invented models for the tests of mining, some of which change on one day."""

from datetime import date
from decimal import Decimal

from compute.prices.price_models import Price

DAY = date(2026, 3, 1)


def price(item, component, value, unit="USD/Mtok", **rest):
    return Price(item=item, component=component, value=Decimal(value), unit=unit, catalog="cards", **rest)


def flat(item, low, high, **rest):
    return [price(item, "input", low, **rest), price(item, "output", high, **rest)]


OLD, NEW = {"valid_to": date(2025, 6, 1)}, {"valid_from": date(2025, 6, 1)}
