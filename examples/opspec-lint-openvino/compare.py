"""Comparison of the verdicts of the plug-in with OpenVINO itself: `python -m compare FOLDER PYTHON...`.

Each interpreter has a release. It writes models, of each opset and op that it can make from one input, and reads those
of all releases, with and without faults. The table counts equal verdicts and names each different one.
"""

import json
import subprocess
import sys
from pathlib import Path

BUILD = """
import sys, warnings
warnings.simplefilter("ignore")
import numpy, openvino
try:
    from openvino.utils.node_factory import NodeFactory
    from openvino import opset13 as opset, Model, Shape
except ImportError:
    from openvino.runtime.utils.node_factory import NodeFactory
    from openvino.runtime import opset13 as opset, Model
folder, names = sys.argv[1], sys.argv[2:]
save = getattr(openvino, "serialize", None) or __import__("openvino.runtime", fromlist=["serialize"]).serialize
for name in names:
    version, kind = name.split(".")
    for shape in ([1, 4, 6, 6], [4]):
        for count in (1, 2, 3):
            try:
                x = opset.parameter(shape, numpy.float32, name="x")
                more = [opset.constant(numpy.ones(shape, numpy.float32)).output(0) for _ in range(count - 1)]
                node = NodeFactory(version).factory.create(kind, [x.output(0), *more], {})
                save(Model([opset.result(node.output(0))], [x], "m"), f"{folder}/{name}-{len(shape)}-{count}.xml")
                break
            except Exception:
                continue
"""
READ = """
import sys, json, warnings
warnings.simplefilter("ignore")
import openvino
core = openvino.Core()
for line in sys.stdin:
    try:
        core.read_model(line.strip())
        print("loads", flush=True)
    except Exception as error:
        print("refused " + " ".join(str(error).split())[-150:], flush=True)
"""
MUTATIONS = {
    "opset": lambda text: text.replace('version="opset', 'version="opset9', 1),
    "newer opset": lambda text: last(text, 'version="opset1"', 'version="opset16"'),
    "type": lambda text: last(text, ' type="Parameter"', ' type="Parametre"'),
    "IR version 10": lambda text: text.replace('version="11">', 'version="10">', 1),
    "IR version 12": lambda text: text.replace('version="11">', 'version="12">', 1),
    "edge": lambda text: text.replace('to-port="0" />', 'to-port="7" />', 1),
    "element type": lambda text: text.replace('element_type="f32"', 'element_type="f4e2m1"', 1),
    "unknown attribute": lambda text: text.replace("<data ", '<data fancy="1" '),
    "weights": lambda text: text.replace('offset="0"', 'offset="99999"', 1),
    "cut": lambda text: text[: len(text) // 2],
    "mode": lambda text: text.replace('auto_broadcast="numpy"', 'auto_broadcast="fancy"'),
}


def last(text, old, new):
    """Return a text with the last occurrence of a part replaced."""
    before, found, after = text.rpartition(old)
    return before + new + after if found else text


def main(folder, *pythons):
    """Print the table, and return 1 if more than one verdict in a hundred differs."""
    import opspec_lint

    models = []
    for python in pythons:
        version = subprocess.check_output([python, "-c", "import openvino; print(openvino.__version__[:8])"], text=True)
        own = Path(folder) / version.strip().rstrip("-")
        own.mkdir(parents=True, exist_ok=True)
        spec = opspec_lint.load(f"openvino@{own.name}")
        subprocess.run([python, "-c", BUILD, str(own), *spec.ops], check=False, capture_output=True)
        built = sorted(own.glob("opset*.xml"))
        for place, path in enumerate(built):
            models.append(path)
            for name, change in list(MUTATIONS.items())[place % 3 :: 3]:
                text = path.read_text(encoding="utf-8")
                if change(text) != text:
                    mutant = path.with_name(f"{path.stem}+{name.replace(' ', '_')}.xml")
                    mutant.write_text(change(text), encoding="utf-8")
                    mutant.with_suffix(".bin").write_bytes(path.with_suffix(".bin").read_bytes())
                    models.append(mutant)
    wrong, count = 0, 0
    for python, version in zip(pythons, dict.fromkeys(path.parent.name for path in models), strict=True):
        lines = "".join(f"{path}\n" for path in models)
        ran = subprocess.run([python, "-c", READ], input=lines, capture_output=True, text=True, check=False)
        real = ran.stdout.splitlines()
        audits = opspec_lint.audit(models, f"openvino@{version}").to_dict()["audits"]
        table = {}
        for path, said, audit in zip(models, real, audits, strict=True):
            ours = {"unreadable": "refused", "changed": "loads"}.get(audit["verdict"], audit["verdict"])
            table[ours, said.split()[0]] = table.get((ours, said.split()[0]), 0) + 1
            count += 1
            if ours != said.split()[0]:
                wrong += 1
                print(
                    f"  {path.parent.name}/{path.name} in {version}: {audit['verdict']} {audit['reason']}, but {said}"
                )
        print(version, json.dumps({" / ".join(pair): number for pair, number in sorted(table.items())}))
    print(f"{wrong} of {count} verdicts on {len(models)} models differ")
    return 1 if wrong * 100 > count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
