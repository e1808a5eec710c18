"""The page of the API, Swagger UI, in Chromium: the real files of its package under our policy."""

import pytest

pytestmark = pytest.mark.browser


def test_the_docs_list_every_operation_and_ask_the_service(visit, site):
    page = visit()
    page.goto("/docs")
    page.locator(".opblock").first.wait_for()
    operations = page.evaluate(
        "fetch('/openapi.json').then(r => r.json()).then(d => Object.values(d.paths).flatMap(p => Object.keys(p)).length)"
    )
    assert page.locator(".opblock").count() == operations > 50
    page.locator("#operations-operation-operation_about .opblock-summary-control").click()
    page.get_by_role("button", name="Execute").click()
    shown = page.locator("#operations-operation-operation_about .live-responses-table .response-col_status")
    shown.first.wait_for()
    assert "200" in page.locator("#operations-operation-operation_about .live-responses-table").inner_text()


def test_without_scripts_the_docs_lead_to_the_description(visit):
    page = visit(java_script_enabled=False)
    page.goto("/docs")
    assert page.get_by_role("link", name="OpenAPI 3.1").get_attribute("href") == "/openapi.json"
