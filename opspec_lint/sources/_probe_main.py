"""Main program of a probe, which is executed after the text of the probe; that defines `probe`.

It runs on Python 3.6 or later with the standard library. Its one argument is the file for the answer, since importing a
framework may print: the result of `probe`, or {"error"}. The file is empty while the framework is being queried.
"""

import json
import sys


def main(answer: str) -> None:
    """Write the answer of this interpreter's framework, or the error, to the file `answer`."""
    with open(answer, "w", encoding="utf-8") as stream:
        try:
            text = json.dumps(probe())  # type: ignore[name-defined]  # noqa: F821 - the probe defines it
        except BaseException as error:  # an import can end in SystemExit too
            text = json.dumps({"error": f"{type(error).__name__}: {error}"})
        stream.write(text)


if __name__ == "__main__":
    main(sys.argv[1])
