"""Observations of a price list: dated on the days on which the list had them, and on no other day."""

import csv
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from compute.catalogs import price_observations
from compute.catalogs.catalog_files import imported, packaged
from compute.prices.price_book import CatalogBook
from compute.prices.price_models import Catalog, Missing, Question
from compute.prices.price_selection import SnapshotDays, undated
from tests.compute.made import price
from tests.stories.days import home_by_day  # noqa: F401  # the fixture `home`

IMPORTED = date(2026, 11, 20)
REAL = Path(__file__).parents[2] / "../shared/prices"
HEADER = "provider,model,component,usd_per_mtok,first_seen,last_seen\n"
FRAME = "acme,frame,input,1,2025-01-01,2026-06-30\n"
"""A price on all days of the list, so that the list of each case begins and ends on the same days."""


def read(rows, name="observations.csv"):
    return price_observations.load(name, HEADER + FRAME + rows, IMPORTED)


def book(rows, *others):
    return CatalogBook([*others, read(rows)[0]])


def ask(found, day, item="acme/one", component="input", context=0):
    return found.price(Question(item=item, component=component, context=context), date.fromisoformat(day))


def undated_catalog(value, **days):
    stated = price(value, "acme/one", catalog="genai-prices", **days)
    return Catalog(name="genai-prices", prices=(stated,), taken=IMPORTED)


@pytest.mark.parametrize(("rows", "spans"), [
    ("3,2025-03-01,2025-05-31|2,2025-06-01,2026-06-30", "3 2025-03-01 2025-06-01|2 2025-06-01 …"),
    ("3,2025-03-01,2025-05-31|2,2025-06-10,2025-08-01", "3 2025-03-01 2025-06-01|2 2025-06-10 2025-08-02"),
    # new and wrong, corrected after six days
    ("30,2025-03-01,2025-03-06|3,2025-03-07,2026-06-30", "3 2025-03-01 …"),
    # changed and changed back
    ("3,2025-03-01,2025-05-31|9,2025-06-01,2025-06-07|3,2025-06-08,2025-09-01", "3 2025-03-01 2025-09-02"),
    # changed to a wrong price, then to the right one
    ("3,2025-03-01,2025-05-31|20,2025-06-01,2025-06-03|2,2025-06-04,2025-09-01", "3 2025-03-01 2025-06-01|2 2025-06-01 2025-09-02"),
    # eight days are a price
    ("30,2025-03-01,2025-03-08|3,2025-03-09,2026-06-30", "30 2025-03-01 2025-03-09|3 2025-03-09 …"),
    # what is on the first day of the list may be old
    ("30,2025-01-01,2025-01-04|3,2025-01-05,2026-06-30", "30 2025-01-01 2025-01-05|3 2025-01-05 …"),
    ("3,2025-01-01,2025-01-04|9,2025-01-05,2025-01-06|3,2025-01-07,2026-06-30", "3 2025-01-01 …"),
])  # fmt: skip
def test_rows_give_spans_of_days_and_corrections_are_no_moves(rows, spans):
    catalog, problems = read("\n".join(f"acme,one,input,{row}" for row in rows.split("|")))
    assert not problems
    found = [f"{p.value} {p.valid_from} {p.valid_to or '…'}" for p in catalog.prices if p.item == "acme/one"]
    assert found == spans.split("|")


def test_a_correction_and_the_ends_of_the_list_are_in_the_notes():
    catalog, _ = read("acme,one,input,30,2025-03-01,2025-03-06\nacme,one,input,3,2025-03-07,2026-06-30\n")
    frame, corrected = catalog.prices
    assert "the list had 30.00 USD/Mtok from 2025-03-01 to 2025-03-06 and corrected it" in corrected.note
    assert "may be older" in frame.note
    assert "may still apply" in frame.note
    assert (catalog.name, catalog.taken) == ("observed-prices", date(2026, 6, 30))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (",one,input,3,2025-03-01,2025-03-02", "names no provider"),
        ("acme,one,,3,2025-03-01,2025-03-02", "'' is not a component"),
        ("acme,one,on_demand,3,2025-03-01,2025-03-02", "'on_demand' is not a component with a price in USD/Mtok"),
        ("acme,one,input,cheap,2025-03-01,2025-03-02", "'cheap', which is not a price above zero"),
        ("acme,one,input,0,2025-03-01,2025-03-02", "'0', which is not a price above zero"),
        ("acme,one,input,1e99,2025-03-01,2025-03-02", "not a price"),
        ("acme,one,input,3,2025-02-30,2025-03-02", "first_seen is '2025-02-30'"),
        ("acme,one,input,3,2025-03-01", "last_seen is ''"),
        ("acme,one,input,3,2025-03-02,2025-03-01", "last_seen 2025-03-01 is before first_seen"),
        ("acme,one,input,3,2025-03-02,2027-03-01", "after the day of the import"),
        ("acme,two,input,3,2025-03-02,2025-03-03", "line 4 has another price for the same days, so neither counts"),
    ],
)
def test_a_bad_row_is_left_out_with_its_line(row, message):
    catalog, problems = read(f"{row}\nacme,two,input,2,2025-03-01,2025-03-02\n", "mine.csv")
    assert [p.item for p in catalog.prices] == ["acme/frame", "acme/two"]
    assert [(p.document, p.line) for p in problems] == [("mine.csv", 3)]
    assert message in problems[0].message


def test_the_name_of_a_file_names_the_list_and_its_columns_the_format():
    catalog, problems = price_observations.load("a.csv", "provider,component,first_seen,last_seen\n", IMPORTED)
    assert not catalog.prices
    assert problems[0].message == "the header lacks model, usd_per_mtok"
    for name, known in (("obs-litellm", "litellm"), ("obs-GENAI", "genai-prices"), ("x", "prices")):
        assert imported(f"{name}.csv", (HEADER + FRAME).encode(), IMPORTED)[0].name == f"observed-{known}"


ROWS = """acme,one,input,3,2025-03-01,2025-05-31
acme,one,input,2,2025-06-01,2026-06-30
acme,one,"input, above 200k",4,2025-06-01,2026-06-30
"""


@pytest.mark.parametrize(
    ("day", "other", "value", "catalog", "dated"),
    [
        ("2025-02-28", None, None, None, None),
        ("2025-04-01", None, 3, "observed-prices", True),
        ("2025-07-01", None, 2, "observed-prices", True),
        ("2026-11-01", None, 2, "observed-prices", False),  # it may still apply
        ("2025-07-01", "2", 2, "genai-prices", True),  # both agree: the other price is dated
        ("2025-02-28", "2", 2, "genai-prices", False),
        ("2025-04-01", "2", 2, "genai-prices", False),  # they differ, so the undated price is as unsure as before
        ("2026-11-01", "5", 5, "genai-prices", False),  # of today the list says nothing
    ],
)
def test_an_observation_is_dated_on_its_days_and_dates_what_agrees(day, other, value, catalog, dated):
    answer = ask(book(ROWS, *([undated_catalog(other)] if other else [])), day)
    if value is None:
        assert isinstance(answer, Missing)
        return
    on = date.fromisoformat(day)
    assert (answer.price.value, answer.price.catalog) == (value, catalog)
    assert [one.value for one in answer.rivals] == ([3] if (day, other) == ("2025-04-01", "2") else [])
    assert (undated(answer, on, SnapshotDays(first={"genai-prices": IMPORTED})) is None) == dated


@pytest.mark.parametrize(
    ("name", "others", "day", "context", "value", "rivals"),
    [
        # a dated price goes before an observation, which is its rival
        ("x.csv", [("1", {"valid_from": date(2025, 1, 1), "valid_to": date(2026, 1, 1)})], "2025-07-01", 0, 1, [2]),
        # the history of a list takes the place of its undated price
        ("genai.csv", [("2", {})], "2025-04-01", 0, 3, []),
        # an observation without tiers says nothing of the tier of its list
        ("genai.csv", [("2", {}), ("9", {"above": 200_000})], "2025-04-01", 300_000, 9, []),
        # a tier is used above its tokens
        ("x.csv", [], "2025-07-01", 300_000, 4, []),
    ],
)
def test_observations_beside_the_prices_of_a_catalogue(name, others, day, context, value, rivals):
    prices = [one for amount, days in others for one in undated_catalog(amount, **days).prices]
    rows = ROWS if context == 0 or not others else ROWS.partition('acme,one,"')[0]
    found = price_observations.load(name, HEADER + FRAME + rows, IMPORTED)[0]
    listed = [Catalog(name="genai-prices", prices=tuple(prices), taken=IMPORTED)] if prices else []
    answer = ask(CatalogBook([*listed, found]), day, context=context)
    assert (answer.price.value, [one.value for one in answer.rivals]) == (value, rivals)


def test_the_command_imports_observations_which_neither_age_nor_count_as_snapshots(home):
    home.on("2026-11-10")
    rows = HEADER + FRAME + ROWS + "acme,one,input,nothing,2025-06-01,2026-06-30\n"
    path = home.write("observations-litellm.csv", rows)
    found = home("prices", "import", path, "--json").json
    assert (found["catalog"], found["prices"]) == ("observed-litellm", 4)
    assert [(one["document"], one["line"]) for one in found["problems"]] == [("observations-litellm.csv", 6)]
    assert "2025-06-01" in home("prices", "show", "acme/one", "--as-of", "2025-04-01").out
    home.on("2026-11-15")
    home("verify")
    with home.brain() as brain:
        assert "observed-litellm" not in brain.prices.observer.first_days()
        assert "observed-litellm" not in {one.name for one in brain.prices.ages(date(2026, 11, 15))}
        answer = ask(brain.prices.book(), "2026-11-15")
        assert undated(answer, date(2026, 11, 15), SnapshotDays(first=brain.prices.observer.first_days())) is not None


GPU_HEADER = "provider,gpu,tier,usd_per_gpu_hour,observed_on,source,note\n"
GPU_ROWS = """acme,H9 SXM,"on_demand, secure",3.29,2026-08-19,https://acme.example,
acme,H9 SXM,"on_demand, secure",3.29,2026-09-01,https://acme.example,
acme,H9 SXM,"on_demand, secure",3.99,2026-10-19,https://acme.example,
acme,H9 SXM,"on_demand, community",2.69,2026-10-19,https://acme.example,
"index, all providers (2)",H9,on_demand,2.78,2026-10-19,https://index.example,"daily index, restated"
"""


@pytest.mark.parametrize(
    ("item", "day", "value"),
    [
        ("acme/h9-sxm-secure", "2026-08-18", None),
        ("acme/h9-sxm-secure", "2026-08-25", "3.29"),  # between two equal looks
        ("acme/h9-sxm-secure", "2026-09-15", None),  # between two different ones
        ("acme/h9-sxm-secure", "2026-10-19", "3.99"),
        ("acme/h9-sxm-secure", "2026-11-19", "3.99"),  # it may still apply
        ("acme/h9-sxm-community", "2026-10-19", "2.69"),
        ("index-all-providers-2/h9", "2026-10-19", "2.78"),
    ],
)
def test_a_gpu_hour_is_known_on_the_days_on_which_somebody_looked(item, day, value):
    catalog, problems = imported("gpu.csv", (GPU_HEADER + GPU_ROWS).encode(), IMPORTED)
    answer = ask(CatalogBook([catalog]), day, item, "on_demand")
    assert (catalog.name, problems) == ("observed-gpu-hours", ())
    assert (None if isinstance(answer, Missing) else str(answer.price.value)) == value


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("acme,,on_demand,3,2026-08-19,,", "names no provider, GPU and tier"),
        ("acme,H9,reserved,3,2026-08-19,,", "begins with on_demand or spot"),
        ("acme,H9,spot,free,2026-08-19,,", "usd_per_gpu_hour is 'free'"),
        ("acme,H9,spot,3,19 August,,", "observed_on is '19 August'"),
        ("acme,H9,spot,3,2027-08-19,,", "after the day of the import"),
    ],
)
def test_a_bad_row_of_gpu_hours_is_left_out_with_its_line(row, message):
    catalog, problems = imported("gpu.csv", f"{GPU_HEADER}{row}\n{GPU_ROWS}".encode(), IMPORTED)
    assert len(catalog.prices) == 4
    assert [(one.document, one.line) for one in problems] == [("gpu.csv", 2)]
    assert message in problems[0].message


def test_a_price_seen_at_two_addresses_is_one_series():
    """The address was part of the series: the older look had no end and was a rival of the newer one for good."""
    rows = "acme,H9,on_demand,3.29,2026-08-19,https://old.example,\nacme,H9,on_demand,3.99,2026-10-19,https://new.example,\n"
    catalog, _ = imported("gpu.csv", (GPU_HEADER + rows).encode(), IMPORTED)
    found = [(str(one.value), one.valid_to and str(one.valid_to), one.source) for one in catalog.prices]
    assert found == [("3.29", "2026-08-20", "https://old.example"), ("3.99", None, "https://new.example")]


def real(name):
    path = REAL / name
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    return path.read_text(encoding="utf-8")


LISTS = {"observed-litellm": "litellm", "observed-genai-prices": "genai"}
FILES = {catalog: f"token-price-observations-{name}.csv" for catalog, name in LISTS.items()}


@pytest.mark.documents
@pytest.mark.parametrize(("catalog", "name"), FILES.items())
def test_twenty_prices_of_2025_are_those_of_the_file(catalog, name):
    text = real(name)
    found = price_observations.load(name, text, IMPORTED)[0]
    known, right = CatalogBook([packaged(), found]), 0
    for row in list(csv.DictReader(text.splitlines()))[::17]:
        first, last = (date.fromisoformat(row[column]) for column in ("first_seen", "last_seen"))
        day = first + (min(last, date(2025, 12, 31)) - first) / 2
        if day.year != 2025 or last - first < timedelta(days=8) or "," in row["component"]:
            continue
        item = price_observations.litellm_map.item(row["model"], row["provider"])[0]
        answer = known.price(Question(item=item, component=row["component"], catalog=catalog), day)
        if not isinstance(answer, Missing):
            assert answer.price.value == Decimal(row["usd_per_mtok"]), row
            assert undated(answer, day, SnapshotDays()) is None or answer.borrowed
            right += 1
    assert right >= 20


@pytest.mark.documents
@pytest.mark.parametrize("name", FILES.values())
def test_every_row_of_the_real_files_is_read_or_reported(name):
    text = real(name)
    catalog, problems = price_observations.load(name, text, IMPORTED)
    assert len(problems) < 20
    assert all(one.line and one.document == name for one in problems)
    assert len(catalog.prices) > 0.8 * (text.count("\n") - 1)


@pytest.mark.documents
@pytest.mark.parametrize(
    ("item", "day", "value"),
    [
        ("runpod/h100-sxm-secure", "2026-08-19", "3.29"),
        ("runpod/h100-sxm-secure", "2026-11-09", "3.99"),
        ("runpod/h100-sxm-community", "2026-10-01", "2.69"),
        ("index-all-providers/h100-median", "2026-09-28", "3.46"),
    ],
)
def test_the_real_gpu_hours_are_those_of_the_file(item, day, value):
    catalog, problems = imported("gpu.csv", real("gpu-hour-observations.csv").encode(), date(2026, 11, 29))
    assert not problems
    assert str(ask(CatalogBook([catalog]), day, item, "on_demand").price.value) == value
