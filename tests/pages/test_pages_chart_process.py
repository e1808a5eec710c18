"""Charts are drawn in a process of its own, which comes and goes."""

import os
import signal

import pytest

from api.pages.charts.chart_process import ChartError, ChartProcess

SPEC = {
    "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
    "data": {"values": [{"a": 1}]},
    "mark": "point",
    "encoding": {"x": {"field": "a", "type": "quantitative", "title": "Prix · €"}},
}


@pytest.fixture
def charts():
    process = ChartProcess()
    yield process
    process.close()


def test_a_chart_is_drawn_and_the_process_reused_for_the_next(charts):
    assert "Prix · €" in charts.svg(SPEC)
    first = charts._process
    assert charts.svg(SPEC).startswith("<svg")
    assert charts._process is first


def test_a_process_that_somebody_killed_is_replaced(charts):
    charts.svg(SPEC)
    os.kill(charts._process.pid, signal.SIGKILL)
    assert charts.svg(SPEC).startswith("<svg")


def test_what_the_library_refuses_is_an_error_and_the_next_chart_is_drawn(charts):
    with pytest.raises(ChartError, match="could not be drawn"):
        charts.svg({"mark": "nothing"})
    assert charts.svg(SPEC).startswith("<svg")


def test_the_process_ends_when_no_chart_was_requested_in_a_while():
    charts = ChartProcess(idle=0.01)
    charts.svg(SPEC)
    timer = charts._timer
    if timer is not None:
        timer.join(20)
    assert charts._process is None
