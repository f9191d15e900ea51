"""Comparison of verdicts on OpenVINO models with releases: `python -m tools.openvino_trials FOLDER PYTHON...`.

It needs the plug-in in examples/opspec-lint-openvino, and each interpreter has a release. Models are made of each op
that a release builds, and damaged; then each release reads and compiles all models. The tables count verdicts, and each
wrong one is named.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import opspec_lint

CHILD = """
import os, signal, sys, warnings
warnings.simplefilter("ignore")
import openvino
def in_child(function, *arguments):
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        signal.alarm(30)
        try:
            os.write(write, function(*arguments).encode())
        finally:
            os._exit(0)
    os.close(write)
    with open(read, "rb") as stream:
        answer = stream.read().decode(errors="replace")
    os.waitpid(child, 0)
    return answer or "crashed"
"""
BUILD = """
import itertools, numpy
try:
    from openvino.utils.node_factory import NodeFactory
    from openvino import opset13 as opset, Model, serialize
except ImportError:
    from openvino.runtime.utils.node_factory import NodeFactory
    from openvino.runtime import opset13 as opset, Model, serialize
GIVEN = {"strides": [1, 1], "dilations": [1, 1], "kernel": [2, 2], "pads_begin": [0, 0], "pads_end": [0, 0],
         "destination_type": "f16", "output_type": "i64", "element_type": "f32"}
FIRST = [("f4", [1, 4, 6, 6]), ("i4", [2, 3]), ("?", [2]), ("f4", [4])]
LATER = [("f4", [1, 4, 6, 6]), ("i8", []), ("i8", [1]), ("i8", [2]), ("f4", []), ("f4", [4, 4, 3, 3]), ("?", [2]),
         ("i4", [2, 3]), ("i8", [4])]
def build(folder, name):
    version, kind = name.split(".")
    factory = NodeFactory(version).factory
    asked = {key: GIVEN[key] for key in factory.create(kind).get_attributes() if key in GIVEN}
    for attributes, count in itertools.product([{}, asked] if asked else [{}], range(6)):
        for first, *later in itertools.product(FIRST[: max(count, 1)], *[LATER] * min(count - 1, 2)):
            inputs = [opset.parameter(first[1], numpy.dtype(first[0]), name="x")] if count else []
            inputs += [opset.constant(numpy.ones(shape, dtype)) for dtype, shape in later + later[-1:] * (count - 3)]
            try:
                node = factory.create(kind, [each.output(0) for each in inputs], attributes)
                model = Model([opset.result(node.output(0))], inputs[:1], "m")
                serialize(model, f"{folder}/{name}.xml")
                return "built"
            except Exception:
                continue
    return "none"
for name in sys.argv[2:]:
    in_child(build, sys.argv[1], name)
"""
READ = """
def read(path):
    try:
        core = openvino.Core()
        model = core.read_model(path)
    except Exception as error:
        return "refused: " + " ".join(str(error).split())[-150:]
    try:
        core.compile_model(model, "CPU")
    except Exception as error:
        return "loads, and not compiled: " + " ".join(str(error).split())[-150:]
    return "loads"
for line in sys.stdin:
    print(in_child(read, line.strip()), flush=True)
"""
OF_LAYER: dict[str, tuple[str, Any]] = {
    "unknown op": (' type="(\\w+)"', ' type="\\1x"'),
    "upper case": (' type="(\\w+)"', lambda match: match[0].replace(match[1], match[1].upper())),
    **{
        f"in {version}": ("opset\\d+", version)
        for version in ("opset1", "opset2", "opset3", "opset16", "opset99", "extension")
    },
    "no attr": ('<data ([\\w-]+)="[^"]*"', "<data"),
    "no data": ("<data [^>]*/>", ""),
    "one attr more": ("<data ", '<data fancy="1" '),
    "wrong text": ('="(?=[a-z])(?!true|false|opset)[^"]*" ?/>', '="fancy" />'),
    "wrong flag": ('="(true|false)"', '="perhaps"'),
    "wrong number": ('(<data .*?=")-?\\d[^"]*"', '\\1abc"'),
    "large number": ('(<data .*?=")-?\\d[^"]*"', '\\g<1>99"'),
    "negative number": ('(<data .*?=")-?\\d[^"]*"', '\\1-7"'),
    "zero": ('(<data .*?=")-?\\d[^"]*"', '\\g<1>0"'),
    "empty item": ('(<data .*?=")(\\d+), ?(\\d+)', "\\1\\2,,\\3"),
    "short list": ('(<data .*?="\\d+), ?\\d+', "\\1"),
    "no name": (' name="[^"]*"', ""),
    "no precision": ('(<output>\\s*<port id="\\d+") precision="\\w+"', "\\1"),
    "wrong precision": ('(<output>\\s*<port id="\\d+" precision)="\\w+"', '\\1="FP33"'),
    "other precision": ('(<output>\\s*<port id="\\d+" precision)="\\w+"', '\\1="U4"'),
    "output shape": ("(<output>(?s:.*?)<dim>)\\d+", "\\g<1>5"),
    "input shape": ("<dim>\\d+", "<dim>5"),
    "wrong dimension": ("<dim>\\d+", "<dim>-5"),
    "no input port": ("<input>\\s*<port(?s:.*?)</port>", "<input>"),
}
OF_FILE: dict[str, tuple[str, Any]] = {
    **{f"IR {number}": ('version="11"', f'version="{number}"') for number in (9, 10, 12)},
    "no edge": ("<edge [^>]*/>", ""),
    "edge twice": ("(<edge [^>]*/>)", "\\1\\1"),
    "edge to no port": ('to-port="\\d+"', 'to-port="7"'),
    "edge from no layer": ('from-layer="\\d+"', 'from-layer="99"'),
    "input type": ('element_type="f32"', 'element_type="i32"'),
    "new type": ('element_type="\\w+"', 'element_type="f4e2m1"'),
    "wrong type": ('element_type="\\w+"', 'element_type="f33"'),
    "parameter shape": (' shape="1,4,6,6"', ' shape="1,4,5"'),
    "constant place": ('offset="\\d+"', 'offset="99999"'),
    "constant size": (' size="\\d+"', ' size="0"'),
    "constant shape": ('shape="([^"]+)" offset', 'shape="3,\\1" offset'),
    "dead layer": ("</layers>", '<layer id="90" name="dead" type="Fancy" version="opset1"></layer></layers>'),
    "cut": ("(?s)<edges>.*", ""),
    "other result": ('type="Result"', 'type="RESULT"'),
}


def damaged(text: str, place: int) -> list[tuple[str, str]]:
    """Return a model with an eighth of the faults, of its last layer before the result, or of the file."""
    end = text.rindex("</layer>", 0, text.rindex("<layer "))
    start = text.rindex("<layer ", 0, end)
    before, layer, after = text[:start], text[start:end], text[end:]
    changed = {name: before + re.sub(*fault, layer, count=1) + after for name, fault in OF_LAYER.items()}
    changed |= {name: re.sub(*fault, text, count=1) for name, fault in OF_FILE.items()}
    return [(name, mutant) for name, mutant in changed.items() if mutant != text][place % 8 :: 8]


def make(folder: Path, pythons: dict[str, str], step: int) -> list[Path]:
    """Write models of every `step`-th op, each by one of the releases that have it in turn; return their files."""
    models: list[Path] = []
    makers: dict[str, list[str]] = {}
    for version in pythons:
        for name in opspec_lint.load(f"openvino@{version}").ops:
            makers.setdefault(name, []).append(version)
    for version, python in pythons.items():
        own = folder / version
        own.mkdir(parents=True, exist_ok=True)
        turns = enumerate(sorted(makers.items())[::step])
        names = [name for place, (name, having) in turns if having[place % len(having)] == version]
        subprocess.run([python, "-c", CHILD + BUILD, str(own), *names], check=True, capture_output=True)
        built = {path: path.read_text(encoding="utf-8") for path in sorted(own.glob("*.xml"))}
        whole = {path: text for path, text in built.items() if text.endswith("</net>\n")}  # no process crashed
        for place, (path, text) in enumerate(whole.items()):
            models.append(path)
            for fault, mutant in damaged(text, place):
                file = path.with_name(f"{path.stem}+{fault.replace(' ', '_')}.xml")
                file.write_text(mutant, encoding="utf-8")
                file.with_suffix(".bin").write_bytes(path.with_suffix(".bin").read_bytes())
                models.append(file)
    return models


def main() -> int:
    """Print the tables, and return 1 if more than one verdict in a hundred is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.openvino_trials", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the models are written here")
    parser.add_argument("pythons", nargs="+", metavar="PYTHON", help="an interpreter that has a release")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th op only")
    options = parser.parse_args()
    code = "import openvino; print(openvino.__version__.partition('-')[0])"
    versions = {subprocess.check_output([python, "-c", code], text=True).strip(): python for python in options.pythons}
    models = make(options.folder, versions, options.every)
    wrong = total = 0
    for version, python in versions.items():
        lines = "".join(f"{path}\n" for path in models)
        command = [python, "-c", CHILD + READ]
        real = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
        audits = opspec_lint.audit(models, f"openvino@{version}").to_dict()["audits"]
        table: Counter[tuple[str, str]] = Counter()
        for path, answer, audit in zip(models, real, audits, strict=True):
            verdict, outcome = str(audit["verdict"]), re.sub(":.*", "", answer).replace("crashed", "refused")
            table[verdict, outcome] += 1
            loads = {"loads": True, "changed": True, "refused": False, "unreadable": False}.get(verdict)
            if loads is not None and loads != outcome.startswith("loads"):
                wrong += 1
                print(f"  {path.parent.name}/{path.name} in {version}: {verdict} {audit['reason']}, but {answer}")
        total += len(models)
        print(
            version,
            *(f"{verdict} / {outcome}: {count}" for (verdict, outcome), count in sorted(table.items())),
            sep="\n  ",
        )
    print(f"{wrong} of {total} verdicts on {len(models)} models are wrong")
    return 1 if wrong * 100 > total else 0


if __name__ == "__main__":
    sys.exit(main())
