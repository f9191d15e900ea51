"""Random build files in the grammar that Python and Starlark share, and the sources that Python compiles by them."""

from __future__ import annotations

LETTERS = "abcdef"
_LISTS = (
    '["{n}.cc"]',
    '["%s.cc" % x for x in ["{n}"]]',
    '["{{}}.cc".format(x) for x in ["{n}", "{m}"]]',
    '["{{}}.cc".format(UNKNOWN), "{n}.cc"]',
    '["%s%s" % (UNKNOWN, ".cc"), "{n}.cc"]',
    '[x for _, x in enumerate(["{n}.cc"], 1)]',
    '["{n}" + ".cc"]',
    'sorted(["{n}.cc", "{m}.cc"])',
    '{{"k": ["{n}.cc"]}}["k"]',
    '["{n}.cc", "{m}.cc"][1:]',
    '["{n}.cc"] if "{n}" in ["{m}"] else ["{m}.cc"]',
    '"{n}.cc {m}.cc".split(" ")',
    '[x for x in {v} if not x.endswith("{n}.cc")]',
    "[x for x in {v} for y in range(240) for z in range(240) if y + z == 0]",
    'opaque(["{n}.cc"])',
    "{v} + {w}",
    "[{v}, {w}][0]",
)
_STATEMENTS = (
    "{v} = {e}",
    "{v} = {w} = {e}",
    "{v} += {e}",
    '{v}.append("{n}.cc")',
    "{v}.extend({e})",
    "{v}, {w} = {w}, {e}",
    'H = ["%c" % 97, "%5d" % 7, {{}} == {{}}, "" in {{}}, "%x" % 0x' + "f" * 50 + "]",
    *("\n".join(['H = ["h"]', *[line] * 15]) for line in ("H = [H, H]", "H = H + H", "H = [H]")),
    "\n".join(['T = "t"', *["T = T + T"] * 15]),
)
_USES = (
    'library(name = "{v}", srcs = {v})',
    '[library(name = x, srcs = [x]) for x in {v} + ["{n}.cc"]]',
    '[[library(name = x + y, srcs = [y]) for x in ["k"]] for y in {v}]',
    'macro(name = "m_{v}", srcs = {v})',
    'library(name = "{v}", srcs = {v}, tags = [x for x in range(240) for y in range(240)])',
)
MACRO = """def macro(name, srcs, **kwargs):
  for s in srcs:
    library(name = name + s, srcs = [s] + kwargs.get("x", []))
"""


def random_statements(random, more_lists=()):
    """Return statements that change the lists A, B and C."""
    lines = ['A = ["a.cc"]\nB = ["b.cc"]\nC = []\nH = ["h"]\nT = "t"']
    lines += [
        _filled(random, random.choice(_STATEMENTS), random.choice((*_LISTS, *more_lists)))
        for _ in range(random.randint(2, 9))
    ]
    return "\n".join(lines) + "\n"


def random_rules(random):
    """Return a BUILD file that compiles elements of lists."""
    uses = [_filled(random, use, "") for use in random.choices(_USES, k=3)]
    more = ('select({{"//x:windows": ["{n}.cc"], "//conditions:default": {v}}})',)
    return "\n".join([random_statements(random, more), *uses, ""])


def random_script(random):
    """Return a script of setuptools that compiles A and B."""
    return random_statements(random) + 'setup(ext_modules = [Extension("x", sources = A), Extension("y", A + B)])\n'


def compiled_by_python(text):
    """Return the sources that a text compiles if Python executes it."""
    given = []
    names = {
        "UNKNOWN": "q",
        "opaque": list,
        "select": lambda choices: [source for sources in choices.values() for source in sources],
        "library": lambda srcs, **_: given.extend(srcs),
        "setup": lambda **_: None,
        "Extension": lambda _, sources: given.extend(sources),
    }
    exec(MACRO + text, names)  # noqa: S102 - a text of this module
    return {source for source in given if source[:1] in LETTERS}


def _filled(random, template, expression):
    v, w = random.choices("ABC", k=2)
    n, m = random.choices(LETTERS, k=2)
    return template.replace("{e}", expression).format(n=n, m=m, v=v, w=w)
