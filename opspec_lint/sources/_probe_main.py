"""Writes down the answer of a probe: what is executed behind the text of each, which says what to `ask`.

Python 3.6 or later, and its standard library. The one argument is the file that the answer goes to, since importing a
framework may print: what `ask` returns, or {"error"}. It is empty while the framework is asked.
"""

import json
import sys


def main(answer: str) -> None:
    """Write the answer of this interpreter's framework, or what went wrong, to the file `answer`."""
    with open(answer, "w", encoding="utf-8") as stream:
        try:
            text = json.dumps(ask())  # type: ignore[name-defined]  # noqa: F821 - it stands before
        except BaseException as error:  # an import can end in SystemExit too
            text = json.dumps({"error": f"{type(error).__name__}: {error}"})
        stream.write(text)


if __name__ == "__main__":
    main(sys.argv[1])
