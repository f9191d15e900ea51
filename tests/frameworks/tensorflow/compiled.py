"""TensorFlow's own compiled code, asked through `driver.cc`, which is built against the library of a wheel."""

from __future__ import annotations

import json
import struct
import subprocess
from pathlib import Path

RELEASES = ("1.15.0", "2.4.4", "2.8.4", "2.12.1")
"""Those that tests ask."""
FLAGS = """
import json, tensorflow as tf
print()
print(json.dumps([tf.sysconfig.get_compile_flags(), tf.sysconfig.get_link_flags(), tf.sysconfig.get_lib()]))
"""


def build(python: str, folder: Path) -> list[str]:
    """Return the command that runs the driver for the TensorFlow of an interpreter."""
    result = subprocess.run([python, "-c", FLAGS], check=True, capture_output=True, text=True, cwd=folder)
    compile_flags, link_flags, library = json.loads(result.stdout.splitlines()[-1])
    program = folder / "driver"
    source = Path(__file__).with_name("driver.cc")
    standard = [] if any(flag.startswith("--std=") for flag in compile_flags) else ["-std=c++14"]
    command = ["g++", "-O0", "-w", *standard, str(source), "-o", str(program), *compile_flags, *link_flags]
    subprocess.run([*command, f"-Wl,-rpath,{library}"], check=True)
    return [str(program)]


def query(command: list[str], pairs: list[tuple[bytes, bytes]]) -> list[tuple[str, str, str]]:
    """Return the verdicts of TensorFlow on each pair of OpDefs: the new one, the step, and the default values."""
    data = b"".join(struct.pack("<I", len(item)) + item for pair in pairs for item in pair)
    output = subprocess.run(command, input=data, check=True, capture_output=True).stdout
    texts, at = [], 0
    while at < len(output):
        (length,) = struct.unpack_from("<I", output, at)
        texts.append(output[at + 4 : at + 4 + length].decode(errors="replace"))
        at += 4 + length
    return list(zip(texts[::3], texts[1::3], texts[2::3], strict=True))
