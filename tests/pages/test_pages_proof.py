"""The page with a text field: a draft, and every figure of it checked."""

import httpx
import pytest

TEXT = "The fee fell from $8 to $2, a 60% cut."


@pytest.fixture
def client(site):
    with httpx.Client(base_url=site, headers={"accept": "text/html"}, timeout=60) as opened:
        yield opened


def test_the_page_shows_the_text_with_its_figures_marked(client):
    assert "textarea" in client.get("/proof").text
    page = client.post("/proof", data={"text": f"{TEXT}\r\n\r\n<script>alert(1)</script>"}).text
    assert '<a class="figure refuted" href="#item-1">60%</a>' in page
    assert "computed 75%" in page
    assert "<script>alert" not in page
    assert "textarea" in client.post("/proof", data={"text": ""}).text
