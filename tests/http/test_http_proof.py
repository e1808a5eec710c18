import pytest

from api.http.routes import claim_routes
from api.settings import Settings
from tests.web_client import home_client

TEXT = "The fee fell from $8 to $2, a 60% cut."


@pytest.mark.parametrize("media", ["text/markdown", "text/plain", "text/html"])
def test_a_text_is_checked_and_not_stored(own, media):
    before = own.get("/v1/nodes").json()["total"]
    found = own.post("/v1/proof", content=TEXT, headers={"content-type": media}, params={"as_of": "2026-11-20"})
    assert found.status_code == 200
    (item,) = found.json()["items"]
    (document,) = found.json()["documents"]
    assert (document["figures"], document["checked"], document["read"]) == (3, 1, True)
    assert {"document", "line", "column", "end_column", "quote", "kind", "expression", "stated", "computed", "verdict",
            "confidence", "claim", "note"} <= set(item)  # fmt: skip
    assert (item["verdict"], item["line"], item["column"], item["end_column"]) == ("refuted", 1, 31, 34)
    assert own.get("/v1/nodes").json()["total"] == before


def test_what_cannot_be_read_is_a_problem(own):
    assert own.post("/v1/proof", content="  ", headers={"content-type": "text/plain"}).status_code == 422
    assert own.post("/v1/proof", content=TEXT, headers={"content-type": "image/png"}).status_code == 415
    assert own.post("/v1/proof?nonsense=1", content=TEXT, headers={"content-type": "text/plain"}).status_code == 422


@pytest.mark.parametrize(("longest", "seconds"), [(100, 20), (200_000, 1e-6)])
def test_a_text_that_is_too_much_work_is_refused_with_what_to_do(part_home, longest, seconds, monkeypatch):
    monkeypatch.setattr(claim_routes, "LONGEST", longest)
    with home_client(Settings(home=part_home, proof_seconds=seconds), pages=False) as asked:
        found = asked.post("/v1/proof", content=f"{TEXT} " * 3, headers={"content-type": "text/plain"})
    assert found.status_code == 413
    assert "Send it in parts, or check the file with the command brain proof" in found.json()["detail"]
