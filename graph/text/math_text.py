"""Formulas between dollar signs: distinguished from prices, and written without TeX."""

from __future__ import annotations

import re
from collections.abc import Mapping

LONGEST = 2_000  # longer text between two dollar signs is not a formula

_MATHS = re.compile(r"[\\^_={}]|[<>≤≥≈∝·×]")
_SIMPLE = re.compile(r"\s*\d{0,4}[A-Za-zα-ωΑ-Ω](?:\s*[-+*/|,]\s*(?:[A-Za-zα-ωΑ-Ω]|\d+))*\s*[.,]?\s*")
_PROSE = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{4,}")
_WORDED = re.compile(r"\\(?:text|mathrm|mathit|mathbf|operatorname)\s*\{([^{}]*)\}")
_DOLLARS = re.compile(r"\$\$([^$]{1,2000})\$\$|\$([^$\s](?:[^$\n]{0,200}[^$\s])?)\$(?!\d)")

_SIGNS: Mapping[str, str] = {
    "times": "×", "cdot": "·", "div": "÷", "pm": "±", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠",
    "neq": "≠", "approx": "≈", "sim": "~", "propto": "∝", "infty": "∞", "sum": "∑", "prod": "∏", "int": "∫",
    "to": "→", "rightarrow": "→", "Rightarrow": "⇒", "ldots": "…", "dots": "…", "cdots": "…", "in": "∈",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η", "theta": "θ", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "nu": "ν", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "omega": "ω",
    "Delta": "Δ", "Lambda": "Λ", "Sigma": "Σ", "Omega": "Ω",
    "quad": " ", "qquad": " ", "left": "", "right": "", "displaystyle": "", "limits": "",
}  # fmt: skip
_COMMAND = re.compile(r"\\([A-Za-z]+) ?")
_SPACE = re.compile(r"\\[,;:! ]|~|\\\\|&")
_RAISED = re.compile(r"([\^_])\{([^{}]*)\}")
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_ROOT = re.compile(r"\\sqrt\s*\{([^{}]*)\}")
_DEEPEST = 12


def looks_like_maths(text: str) -> bool:
    """Whether text between dollar signs is a formula, not the text between two prices."""
    if not text or len(text) > LONGEST or _PROSE.search(_WORDED.sub("", text)):
        return False
    return bool(_MATHS.search(text)) or bool(_SIMPLE.fullmatch(text))


def spelled_out(text: str) -> str:
    """A text with formulas as `linear` writes them; prices keep their dollar signs."""

    def spelled_out(found: re.Match[str]) -> str:
        formula = found[1] or found[2]
        return linear(formula) if looks_like_maths(formula) else found[0]

    return _DOLLARS.sub(spelled_out, text)


def linear(formula: str) -> str:
    r"""A TeX formula as one line of text: `\frac{a + b}{2} \times 10^{3}` is `(a + b)/2 × 10^3`."""
    text = _SPACE.sub(" ", formula.replace("{,}", ",").replace(r"\%", "%"))
    for _ in range(_DEEPEST):
        plainer = _unfolded(text)
        if plainer == text:
            break
        text = plainer
    text = _COMMAND.sub(_sign, text)
    return " ".join(re.sub(r"[{}\\]", "", text).replace("*", "∗").split())


def _unfolded(text: str) -> str:
    """The innermost groups without their braces."""
    text = _RAISED.sub(lambda found: f"{found[1]}{_complete(found[2])}", _WORDED.sub(r"\1", text))
    text = _FRACTION.sub(lambda found: f"{_complete(found[1])}/{_complete(found[2])}", text)
    return _ROOT.sub(lambda found: f"√{_complete(found[1])}", text)


def _complete(part: str) -> str:
    """In parentheses, unless it is one symbol or number."""
    text = part.strip()
    return text if re.fullmatch(r"\\?\w++(?:\^\\?\w++|(?<=_)\\\w++)?|[*']", text) else f"({text})"


def _sign(found: re.Match[str]) -> str:
    sign = _SIGNS.get(found[1], found[1])
    return f"{sign} " if found[0].endswith(" ") and sign.strip() else sign
