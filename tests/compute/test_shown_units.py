"""Units behind figures, as people say them."""

from decimal import Decimal

import pytest

from compute.reports.report_model import figure
from compute.units.number_format import stated
from compute.units.units import unit


@pytest.mark.parametrize(
    ("value", "written", "shown"),
    [
        ("14.5", "month_730h", "14.5 months"),
        ("1", "month_720h", "1 month_720h"),
        ("2", "month_730h*GPU", "2 months*GPU"),
        ("2", "USD/GPU/month_730h", "2.00 USD/GPU/month"),
        ("2", "h", "2 h"),
        ("2", "%", "2%"),
        ("60", "x", "60×"),
        ("60", "times", "60×"),
        ("2", "", "2"),
        ("999999999", "token", "999,999,999 token"),
        ("29200000000", "token/month_730h", "29.2 billion token/month"),
        ("-58666666666.67", "USD/year", "-58.6667 billion USD/year"),
        ("1800000000000", "USD", "1.8 trillion USD"),
        ("314000000000000000000000", "FLOP", "3.14e23 FLOP"),
        ("2.00", "USD", "2.00 USD"),
        ("37.10743801652892561983471074", "%", "37.11%"),
        ("0.7999999999999999999999999999", "x", "0.8×"),
        ("2.68435456", "GB", "2.68435 GB"),
        ("2.44140625", "x", "2.44141×"),
        ("39935.034", "USD", "39,935.03 USD"),
        ("1048576", "token", "1,048,576 token"),
        ("123456.7", "token", "123,457 token"),
        ("99.7002999", "%", "99.7%"),
        ("99.9999", "%", "99.9999%"),
        ("99.9033", "%", "99.9033%"),
        ("99.9033333333", "%", "99.903%"),
        ("672.66944", "USD", "672.669 USD"),
        ("99.9999999", "%", "99.9999999%"),
        ("99.99999123456", "%", "99.9999912%"),
        ("100", "%", "100%"),
        ("100.00000001", "%", "100%"),
    ],
)
def test_a_figure_and_its_unit_are_said_as_people_say_them_and_the_same_everywhere(value, written, shown):
    assert stated(Decimal(value), unit(written)) == figure(Decimal(value), written) == shown
