"""Is everything well: `check`."""

from __future__ import annotations

from typing import Annotated

from rich.console import Group
from typer import BadParameter, Option

from api.cli import FAILED
from api.cli.cli_options import AsOf, Sarif
from api.cli.cli_session import Answer, CliSession, now, today
from api.release import VERSION
from api.services.home_check import damage_error, home_problems, repair
from api.terminal import import_tables as shown
from compute.linting.linter import counts
from compute.linting.rule_table import BY_ID, RULES
from compute.reports import sarif_report
from graph.text.similar_names import near


def check(
    asked: CliSession,
    rules: Annotated[list[str] | None, Option("--rule", help="Only findings of this linter rule (repeatable).")] = None,
    statistics: Annotated[bool, Option("--statistics", help="Count findings by rule; print none.")] = False,
    sarif_file: Sarif = None,
    as_of: AsOf = None,
    repaired: Annotated[bool, Option("--repair", help="First rebuild index, links and observed prices.")] = False,
) -> Answer:
    """Check the data directory, and whether claims test what their texts say.

    Checks the store, the index, the snapshots and the content; the free disk, the age of each catalogue, the last
    night, undelivered notices, and silences about to end. Runs the linter of claims, whose findings do not change the
    exit code; docs/linting.md explains each rule.

    With brain --as-public it checks the public content only, and not the data directory, which all brains share.

    --repair rebuilds the search index, removes links and tags of missing nodes, and derives damaged
    observed prices from the snapshots again; it touches nothing else, and says what it did. In a damaged store nothing
    else is checked or rebuilt: exit code 3, and brain restore FILE.

    Examples: brain check --repair · brain check --statistics · brain check --rule quote-figure ·
    brain check --sarif claims.sarif
    """
    for rule in {*(rules or ())} - BY_ID.keys():
        close = near(rule, BY_ID, 1)
        hint = f"; did you mean {close[0]}?" if close else f"; one of {', '.join(BY_ID)}"
        raise BadParameter(f"{rule!r} is not a rule of the linter{hint}", param_hint="--rule")
    if repaired and asked.reader is not None:
        raise BadParameter("it rebuilds shared data; leave out --as-public and --as-brain", param_hint="--repair")
    stored = asked.brain.store.check()
    if error := damage_error(asked.brain.store.where, stored):  # everything else would be read from the damaged store
        asked.show(Answer({"problems": stored, "rules": {}}, lambda: Group(*map(shown.problem, stored))))
        raise error
    repairs = tuple(repair(asked.brain)) if repaired else ()
    found = [] if rules else asked.brain.check(None if repaired else stored)
    if not rules and asked.reader is None:
        found += home_problems(asked.brain, now())
    linted = asked.brain.lint(as_of or today())
    tenses = asked.brain.tenses(as_of or today())
    about = {**asked.brain.about(), "search": asked.brain.search.engine}
    linted = [one for one in linted if not rules or one.code.removeprefix("claims/") in rules]
    problems, counted = [*found, *linted], counts(linted)
    if sarif_file is not None:
        sarif_file.write_text(sarif_report.problems(problems, VERSION, RULES), "utf-8")
    done = {"repairs": repairs} if repaired else {}
    lines = (*(f"{one.part}: {one.message}" for one in repairs), *map(shown.problem, () if statistics else problems))
    for line in () if asked.json else lines:
        asked.out.print(line, markup=False, soft_wrap=True)
    return Answer(
        {"problems": problems, "rules": counted, "tenses": tenses, **about, **done},
        lambda: Group(
            shown.lint_counts(counted, whole=statistics), shown.tenses(tenses), shown.soundness(found, about)
        ),
        code=FAILED if any(problem.severity == "error" for problem in problems) else 0,
    )
