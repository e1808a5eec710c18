"""Texts of one construct repeated, about `n` characters long: what our rules, or the guards of plugins, look for."""


def unit(text, before=""):
    return lambda n: before + text * (n // len(text))


DEFINED, NOTED = "[a]: b\n\n", "[^a]: x\n\n"
CONSTRUCTS = {
    "spaces in a head of a table": lambda n: f"| ({' ' * n}x | b |\n|--|--|\n| a | b |\n",
    "spaces in a cell": lambda n: f"| a | b |\n|--|--|\n| <{' ' * n}! | b |\n",
    "spaces in a delimiter": lambda n: f"| a | b |\n|--|--{' ' * n}x|\n| a | b |\n",
    "defs": lambda n: "\n".join(f"[r{i}]: https://e.org/{i}" for i in range(n // 20)),
    "defs same": lambda n: "\n".join(f"[r]: https://e.org/{i}" for i in range(n // 20)),
    "def then para": unit("c\n", "[a]: b\n"),
    "[x]": unit("[b]", "[x]: y\n\n"),
    "nested": lambda n: "[" * (n // 2) + "a" + "]" * (n // 2),
    "nested link": lambda n: "[" * (n // 5) + "a" + "](u)" * (n // 5),
    "img nested": lambda n: "![" * (n // 6) + "a" + "](u)" * (n // 6),
    "paren deep": unit("(", "[a]"),
    "footnote defs": lambda n: "".join(f"[^a{i}]: x\n" for i in range(n // 12)),
    "footnote defs used": lambda n: (
        "".join(f"[^a{i}] " for i in range(n // 24)) + "\n\n" + "".join(f"[^a{i}]: x\n" for i in range(n // 24))
    ),
    "footnote in": lambda n: "".join(f"[^{i}]: [^{i + 1}]\n\n" for i in range(n // 16)) + "[^0]",
    "math big": lambda n: "$" + "{" * n + "$",
    "url long": unit("a", "http://"),
    "table rows": unit("|c|d|\n", "|a|b|\n|-|-|\n"),
    "table cols": lambda n: "|a" * (n // 8) + "|\n" + "|-" * (n // 8) + "|\n" + "|c" * (n // 8) + "|\n",
    "table colsrows": lambda n: "|a" * int(n**0.5) + "|\n" + "|-" * int(n**0.5) + "|\n" + "|c|\n" * int(n**0.5),
    "numeric cell": lambda n: "|a|\n|-|\n|" + "1" * n + "x|\n",
    "numeric cell2": lambda n: "|a|\n|-|\n|" + "-" * n + "x|\n",
    "numeric cell3": lambda n: "|a|\n|-|\n|" + "1-" * (n // 2) + "x|\n",
    "numeric cell4": lambda n: "|a|\n|-|\n|1%" + " -" * (n // 2) + "x|\n",
    "](((": unit("()", "]("),
    **{f"{text} where a is defined": unit(text, DEFINED) for text in ("[a] ", "[a][a]", "[", "[a", "[a](", "[a][b")},
    **{f"{text} where a is a footnote": unit(text, NOTED) for text in ("[^a]", "[^")},
    **{
        text: unit(text)
        for text in (
            "[a\n", "[a]: b 'c\n", '[a]: b "c\n', "[a]: b (c\n", DEFINED, "[", "]", "[a", "![", "[a](", "[a](<b", "[a](b 'c", "`",
            "[^a]: ", "$", "$a ", "$a$", "a $x_1 b", "$$a\n", "$$a\n\n", "\\$", "$x^{2}$ ", "|`a", "~~~~a\n```b\n", "[[a]] ", "[[a|b]] ",
            "[[a", "[[a|", "`a` [[a]] ", "http://a [[a]] ", "#a ", "[1] ", "12% $3.50 ", "\u05d0\n\n", "- [ ] a\n", "- [", "](", "](a",
            "](a(b)", "\U000f0000", "> ```\n", "> [a]: b\n", "- [a]: b\n", "[]", "[](",
        )
    },
}  # fmt: skip  # many texts
"""A name, and how to make a text of about so many characters."""
