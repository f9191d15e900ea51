"""Recorder of the adapters of ONNX's version converter: `python -m tools.onnx_adapters REPOSITORY [VERSION ...]`.

REPOSITORY is a repository of ONNX with its tags. Each included release of ONNX that has a tag there is read, or the
given ones. The file says of each version of each op since which release the converter takes a node from the version
before (`up`), and back to it (`down`).
"""

from __future__ import annotations

import json
import subprocess
import sys

from opspec_lint.frameworks.onnx.identity import split_identity
from opspec_lint.frameworks.onnx.saved.judging.conversion import FILE
from opspec_lint.sources import references, released
from opspec_lint.sources.reading import Reading


def main(repository: str, versions: list[str]) -> None:
    """Write the file."""
    listing = ["git", "-C", repository, "tag"]
    tags = subprocess.run(listing, check=True, capture_output=True, text=True).stdout.split()
    names = (name.partition("@")[2] for name in released.names({"onnx"}))
    read = [version for version in versions or names if f"v{version}" in tags]
    ops: dict[str, dict[str, dict[str, str]]] = {}
    for version in read:
        spec = references.resolve(f"onnx-source:{repository}@v{version}", Reading(environment={})).spec
        for name, op in spec.ops.items():
            domain, plain, since = split_identity(name)
            if not domain:
                adapters = ops.setdefault(plain, {}).setdefault(str(since), {})
                for way in op.get("adapters") or ():
                    adapters.setdefault(way, version)
                for way in adapters.keys() - set(op.get("adapters") or ()):
                    del adapters[way]
        print(f"{version}: {len(spec.ops)} schemas, {len(spec.remarks)} remarks")
    lines = [f" {json.dumps(name)}: {json.dumps(_sorted(ops[name]))}" for name in sorted(ops)]
    text = f'{{"newest": "{read[-1]}", "ops": {{\n' + ",\n".join(lines) + "\n}}\n"
    FILE.write_text(text, encoding="utf-8")


def _sorted(versions: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    return {since: dict(sorted(versions[since].items())) for since in sorted(versions, key=int)}


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
