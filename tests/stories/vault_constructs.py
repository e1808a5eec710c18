"""A vault of more than a hundred notes with every habit of an Obsidian user, written by code.

`CONSTRUCTS` is the table of docs/vaults.md: each construct has a note of its own, and what its page must show. The other
notes are what a year of work leaves: daily notes, people, readings, projects, ideas, maps of content, templates.
"""

import json
from datetime import date, timedelta
from typing import NamedTuple

from tests.command import written

SECRET = "quokka-7781"
"""The word that is in comments only. It must be visible nowhere."""

TARGET = "/nodes/notes/heat-pump-field-trial"
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000 1f15c4890000000d49444154789c6360000002000001e221bc33"
    "0000000049454e44ae426082".replace(" ", "")
)


class Construct(NamedTuple):
    """One construct: its name, what becomes of it (`shown`, `linked` or `left out`), a note, and its page's HTML.

    The page of the note holds every text of `holds` and none of `lacks`.
    """

    name: str
    becomes: str
    text: str
    holds: tuple[str, ...]
    lacks: tuple[str, ...] = ()


def linked(place=""):
    return f'href="{TARGET}{place}"'


CONSTRUCTS = (
    Construct("wikilink by file name", "linked", "See [[Heat Pump Field Trial]].", (linked(), ">Heat Pump Field Trial</a>"), ('class="missing"',)),
    Construct("wikilink with words", "linked", "See [[Heat Pump Field Trial|the trial]].", (linked(), ">the trial</a>")),
    Construct("wikilink by alias", "linked", "See [[HPFT]].", (linked(), ">HPFT</a>")),
    Construct("wikilink by folder", "linked", "See [[Projects/Heat Pump Field Trial]].", (linked(),)),
    Construct("wikilink to a heading", "linked", "See [[Heat Pump Field Trial#Cost per site]].", (linked("#s-cost-per-site"),)),
    Construct("wikilink to a heading of a heading", "linked", "See [[HPFT#Results#Cost per site|cost]].", (linked("#s-cost-per-site"), ">cost</a>")),
    Construct("wikilink to a block", "linked", "See [[HPFT#^budget]].", (linked("#b-budget"),)),
    Construct("wikilink to a heading of the same note", "linked", "See [[#Further down]].\n\n## Further down\n\nHere.", ('href="#s-further-down"', 'id="s-further-down"')),
    Construct("wikilink to a block of the same note", "linked", "See [[#^here]].\n\nA paragraph. ^here", ('href="#b-here"', 'id="b-here"'), ("paragraph. ^here",)),
    Construct("wikilink in a table", "linked", "| a |\n|---|\n| [[HPFT\\|trial]] |", (linked(), ">trial</a>")),
    Construct("wikilink in a footnote", "linked", "Said.[^1]\n\n[^1]: As in [[HPFT]].", (linked(),)),
    Construct("wikilink in a heading, task or callout", "linked", "## On [[HPFT]]\n\n- [ ] ask [[HPFT]]\n\n> [!info] [[HPFT]]\n> text", (linked(),), ('class="missing"', "[[")),
    Construct("wikilink in a property", "linked", "---\nproject: \"[[HPFT]]\"\n---\nText.", ('<th scope="row">project</th>', linked())),
    Construct("wikilink to nothing", "shown", "See [[A note never written]].", ('class="missing"', ">A note never written</span>")),
    Construct("relative Markdown link", "linked", "See [it](../Projects/Heat%20Pump%20Field%20Trial.md#Results).", (linked("#s-results"), ">it</a>")),
    Construct("Markdown link in pointed brackets", "linked", "See [it](<../Projects/Heat Pump Field Trial.md>).", (linked(),)),
    Construct("Markdown link by reference", "linked", "See [it][t].\n\n[t]: ../Projects/Heat%20Pump%20Field%20Trial.md", (linked(),)),
    Construct("Markdown link to nothing", "shown", "See [it](../gone/away.md).", ('class="missing"',)),
    Construct("link to a web page", "linked", "See [it](https://example.org/x).", ('href="https://example.org/x"',)),
    Construct("embedded note", "shown", "![[Small fact]]", ('<div class="embed">', "Water boils at ninety degrees up there."), ('class="missing"',)),
    Construct("embedded heading", "shown", "![[HPFT#Results]]", ('<div class="embed">', "Fourteen sites ran through the winter."), ("The plan comes first.",)),
    Construct("embedded block", "shown", "![[HPFT#^budget]]", ('<div class="embed">', "The budget is 40,000 euros."), ("Fourteen sites",)),
    Construct("embed inside an embed", "linked", "![[Embeds the fact]]", ('<div class="embed">', 'href="/nodes/notes/small-fact"'), ("Water boils",)),
    Construct("embedded picture", "shown", "![[pump.png|300]]", ('class="attachment"', ">pump.png</span>"), ("<img",)),
    Construct("Markdown picture", "shown", "![a pump](../attachments/pump.png)", ('class="attachment"', ">a pump</span>"), ("<img",)),
    Construct("picture of the web", "linked", "![a pump](https://example.org/pump.png)", ('href="https://example.org/pump.png"',), ("<img",)),
    Construct("link to a PDF or another attachment", "shown", "See [[plan.pdf]] and [data](../attachments/data.csv).", (">plan.pdf</span>", ">data</span>")),
    Construct("link to a canvas", "linked", "See [[Overview.canvas]].", ('href="/nodes/notes/overview"',)),
    Construct("link to a drawing", "linked", "See [[Site.excalidraw]], [[Gone.excalidraw]].", ('href="/nodes/notes/site-excalidraw"', ">Gone.excalidraw</span>")),
    Construct("callout", "shown", "> [!warning] Mind the *step*\n> It is high.", ('class="callout callout-warning"', "Mind the <em>step</em>", "It is high."), ("[!warning]",)),
    Construct("folded callout", "shown", "> [!faq]- Why?\n> Because.", ("<details class=\"callout callout-faq\">", "<summary", "Because.")),
    Construct("unfolded callout", "shown", "> [!faq]+ Why?\n> Because.", ('<details class="callout callout-faq" open="">',)),
    Construct("nested callout", "shown", "> [!note]\n> > [!tip] Inside\n> > Deep.", ('class="callout callout-note"', 'class="callout callout-tip"', "Deep.")),
    Construct("highlight", "shown", "This is ==the point== of it.", ('<mark class="highlight">the point</mark>',), ("==",)),
    Construct("strikethrough, bold and italic", "shown", "~~old~~ **new** *so*", ("<s>old</s>", "<strong>new</strong>", "<em>so</em>")),
    Construct("tasks", "shown", "- [x] done\n- [ ] open\n- [/] begun", ("☑ done", "☐ open", "☑ begun")),
    Construct("properties", "shown", "---\nstatus: draft\nrating: 4.50\nreviewers: [Ada, Bo]\n---\nText.", ('<th scope="row">status</th>', "4.50", "Ada, Bo")),
    Construct("aliases", "shown", "---\naliases: [A second name]\n---\nText.", ('<th scope="row">aliases</th>', "A second name")),
    Construct("nested tags", "linked", "---\ntags: [energy/heat]\n---\nText #energy/heat/pumps.", ("/tags/energy/heat", "/tags/energy/heat/pumps")),
    Construct("inline comment", "left out", f"Before %%{SECRET} rent is $55%% after.", ("Before", "after."), (SECRET, "%%")),
    Construct("block comment", "left out", f"Before.\n\n%%\n{SECRET} costs $77 per month\n\n[[HPFT]] #hidden\n%%\n\nAfter.", ("Before.", "After."), (SECRET, "%%", linked(), "/tags/hidden")),
    Construct("HTML comment", "left out", f"Before.\n\n<!-- {SECRET} -->\n\nAfter.", ("After.",), (SECRET, "&lt;!--")),
    Construct("comment in a callout, table or footnote", "left out", f"> [!note] Open %%{SECRET}%%\n> text %%{SECRET}%%\n\n| a %%{SECRET}%% |\n|---|\n| 1 |\n\nx[^1]\n\n[^1]: foot %%{SECRET}%% note", ("Open", "foot"), (SECRET,)),
    Construct("code that looks like a comment", "shown", "`%%kept%%`\n\n```mermaid\n%% kept too\ngraph LR\n```", ("%%kept%%", "%% kept too")),
    Construct("mermaid diagram", "shown", "```mermaid\ngraph LR\n  a --> b\n```", ("<pre>", "graph LR")),
    Construct("dataview query", "shown", "```dataview\nTABLE rating FROM #reading\n```\n\nand `= this.file.name`", ("TABLE rating FROM #reading", "= this.file.name")),
    Construct("mathematics", "shown", "So $x^2 + y^2 = z^2$ and\n\n$$\n\\frac{a}{b}\n$$", ("<math", "<mfrac>")),
    Construct("footnote", "shown", "Said.[^a]\n\n[^a]: By whom.", ('class="footnote-ref"', "By whom.")),
    Construct("quotation next to sources", "linked", "---\nsources:\n  - url: https://example.org/study\n    title: Winter study\n---\n> Cold days decide.\n> — Winter study", ('class="quoted likely"', "Winter study")),
    Construct("block of a list or table", "shown", "- one\n- two ^two\n\n| a |\n|---|\n| 1 |\n\n^tab\n\nSee [[#^two]] and [[#^tab]].", ('<li id="b-two"', '<table id="b-tab"', 'href="#b-two"', 'href="#b-tab"')),
    Construct("raw HTML", "shown", "A <b>tag</b> <script>alert(1)</script>", ("&lt;b&gt;", "&lt;script&gt;"), ("<script>alert",)),
    Construct("Windows line ends", "shown", "One [[HPFT]]\r\n\r\n> [!note] Two\r\n> three\r\n", (linked(), 'class="callout callout-note"')),
)  # fmt: skip  # a table

TRIAL = """---
aliases: [HPFT]
status: running
---
The plan comes first.

## Results

Fourteen sites ran through the winter.

### Cost per site

The budget is 40,000 euros. ^budget

## After

Later.
"""


def file_of(construct):
    return f"Constructs/{construct.name.capitalize()}.md"


def build(folder):
    files = {file_of(one): one.text for one in CONSTRUCTS}
    for part in (_fixed(), _daily(), _people(), _readings(), _projects(), _ideas()):
        assert not files.keys() & part.keys()
        files |= part
    written(folder, {**files, **_others()})
    return len(files)


def _fixed():
    return {
        "Projects/Heat Pump Field Trial.md": TRIAL,
        "Small fact.md": "Water boils at ninety degrees up there.",
        "Embeds the fact.md": "![[Small fact]]",
        "templates/Daily.md": "---\ntags: [daily]\n---\n# {{title}}\n\n## Log\n\n{{time}}\n",
        "templates/Meeting.md": "# Meeting with {{title}}\n\n- [ ] \n",
        "🚀 Launch.md": "Up with [[🌱 Seeds]].",
        "🌱 Seeds.md": "Before [[🚀 Launch|the launch]].",
        "Übersicht – Wärme.md": "Ein Blick auf [[HPFT]].",
        "Index.md": "Start: " + ", ".join(f"[[{area}/Index|{area}]]" for area in _AREAS),
        **{f"{area}/Index.md": f"# {area}\n\nUp: [[../Index]]. Here: [[Index]].\n" for area in _AREAS},
        "Prices.md": "The pump costs $4,200 and power 30 ct/kWh in 2026. A year of heat takes 4,000 kWh.",
    }


_AREAS = ("Areas/Energy", "Areas/Housing", "Areas/Money", "Areas/Garden")


def _daily():
    days = [date(2026, 2, 15) + timedelta(days=at) for at in range(30)]
    return {f"Daily/{day:%Y}/{day.isoformat()}.md": _day(day) for day in days}


def _day(day):
    before, after = day - timedelta(days=1), day + timedelta(days=1)
    person, idea = f"Person {day.day % 10 + 1:02d}", f"Idea {day.toordinal() % 12 + 1:02d}"
    ends = "\r\n" if day.day % 5 == 0 else "\n"
    lines = [
        "---", "tags: [daily]", f"mood: {day.day % 5 + 1}", "---", f"<< [[{before.isoformat()}]] | [[{after.isoformat()}]] >>", "",
        "## Log", f"- met [[{person}]] about [[{idea}|an idea]] #meeting/weekly", f"- [{'x' if day.day % 2 else ' '}] write to [[{person}]]", "",
        f"%% {SECRET}: what I really think of [[{person}]] %%", "", f"> [!todo]- Tomorrow\n> ==read== [[Reading {day.day % 10 + 1:02d}]]",
    ]  # fmt: skip  # a note
    return "\n".join(lines).replace("\n", ends)


def _people():
    return {f"People/Person {n:02d}.md": f"---\naliases: [P{n:02d}]\nrole: engineer\n---\nWorks on [[HPFT]]. Phone %%{SECRET}%%" for n in range(1, 11)}  # fmt: skip


def _readings():
    front = "---\nkind: reading\nsources:\n  - url: https://example.org/{n}\n    title: Study {n}\ntags: [reading/{n}]\n---\n"
    text = "> A pump pays back in {n} years.\n\nCompare [[Reading {m:02d}#^main]]. The point. ^main\n"
    return {f"Readings/Reading {n:02d}.md": (front + text).format(n=n, m=n % 10 + 1) for n in range(1, 11)}


def _projects():
    return {
        f"Projects/Project {n:02d}.md": f"# Project {n:02d}\n\n## Goal\n\nSee [[Idea {n:02d}]] and [last](<Project {max(1, n - 1):02d}.md#Goal>).\n\n```dataview\nLIST FROM #project\n```\n"
        for n in range(1, 7)
    }  # fmt: skip


def _ideas():
    return {
        f"Ideas/Idea {n:02d}.md": f"An idea #idea/{n % 7 + 1}x about [[Person {n % 10 + 1:02d}|P]].[^1]\n\n![[Idea {n % 12 + 1:02d}]]\n\n[^1]: From [[Reading {n % 10 + 1:02d}]].\n"
        for n in range(1, 13)
    }  # fmt: skip


def _others():
    """What a vault has besides notes: settings, attachments, canvases."""
    canvas = {"nodes": [{"id": "1", "type": "file", "file": "Index.md", "x": 0, "y": 0, "width": 9, "height": 9}]}
    return {
        ".obsidian/app.json": b"{}", "attachments/pump.png": PNG, "attachments/plan.pdf": b"%PDF-1.4\n", "attachments/data.csv": b"a,b\n1,2\n",
        "Site.excalidraw.md": b"---\nexcalidraw-plugin: parsed\n---\nThe site.\n",
        "Overview.canvas": json.dumps({**canvas, "edges": []}).encode(),
    }  # fmt: skip  # pairs
