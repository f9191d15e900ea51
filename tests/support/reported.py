"""Readers of the findings in a report, one for each format: the rule, the op and the name of each finding."""

from __future__ import annotations

import json
import re
from collections import Counter
from urllib.parse import unquote
from xml.etree import ElementTree


def from_json(text):
    return [(finding["rule"], finding["op"], finding["name"]) for finding in json.loads(text)["findings"]]


def from_jsonl(text):
    return [(finding["rule"], finding["op"], finding["name"]) for finding in map(json.loads, text.splitlines())]


def from_rdjson(text):
    diagnostics = (
        (diagnostic["code"]["value"], diagnostic["message"].split("\n")[0])
        for diagnostic in json.loads(text)["diagnostics"]
    )
    return [parse(f"{rule}: " + re.sub(r"^\[.*?\] ", "", message)) for rule, message in diagnostics]


def from_azure(text):
    issues = re.findall(r"^##vso\[task\.logissue .*?code=(\w+);\](.*?)(?:%0A|$)", text, re.MULTILINE)
    return [parse(f"{rule}: {message}") for rule, message in issues]


def from_sarif(text):
    (run,) = json.loads(text)["runs"]
    return [(result["ruleId"], result["properties"]["op"], result["properties"]["name"]) for result in run["results"]]


def from_gitlab(text):
    descriptions = ((issue["check_name"], re.sub(r"^\[.*?\] ", "", issue["description"])) for issue in json.loads(text))
    return [parse(f"{rule}: {description}") for rule, description in descriptions]


def from_junit(text):
    root = ElementTree.fromstring(text)  # noqa: S314 - it is our own
    return [parse(re.sub(r"-\d+$", "", case.get("name"))) for case in root.iter("testcase")]


def from_github(text):
    titles = re.findall(r"^::\w+ .*?title=([^:]*)::", text, re.MULTILINE)
    return [
        parse(unquote(title).removeprefix("newly waived, ").removeprefix("waived, ").removeprefix("approved, "))
        for title in titles
    ]


def from_markdown(text):
    """Return the findings in the rows of the tables, and those in the lists."""
    findings = []
    for cell, fold in re.findall(r'<tr><td>\n\n(.*?)\n\n</td>.*?<tr><td colspan="2">(.*?)</td></tr>', text, re.DOTALL):
        rule = re.search(r"^- rule \[?`(\w+)`", fold, re.MULTILINE)[1]
        names = re.search(r"^- all of them: (.*)$", fold, re.MULTILINE)
        parts = cell.split("<br>")
        if ops := re.match(r"\d+ ops: (.*)", parts[0]):
            findings += [(rule, op, op) for op in re.findall(r"`([\w@]+)`", (names or ops)[1])]
            continue
        op = re.match(r"`([\w@]+)`", parts[0])
        if several := re.match(r"\d+ \w+s: (.*)", parts[1] if op and len(parts) > 1 else ""):
            findings += [(rule, op[1], name) for name in re.findall(r"`([\w@]+)`", (names or several)[1])]
            continue
        name = re.search(
            r"(?:attr|input|output|registration|source|config|change of|registered for)s? `([\w@./]+)`", cell
        )
        findings.append((rule, op and op[1], name[1] if name else op and op[1]))
    for subject, rule in re.findall(r"^- (.*?): .* \(`(\w+)`(?:, .*)?\)$", text, re.MULTILINE):
        op = re.match(r"`([\w@]+)`", subject)
        argument = re.search(r"(?:^|, )\w+(?: `([\w@./]+)`)?$", subject)
        findings.append((rule, op and op[1], argument[1] if argument else op[1]))
    return findings


def from_html(text):
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text)[1])
    shown = re.findall(r'<details id="(\w+(?:-\d+)?)" class="finding ', text)
    assert Counter(finding["id"] for finding in data) == Counter(shown)
    return [(finding["rule"], finding["op"], finding["name"]) for finding in data]


def parse(text):
    """Return rule, op and name from `RULE: OP`, `RULE: OP, KIND NAME`, `RULE: KIND` or `RULE: KIND NAME`."""
    rule, op, argument, name = re.match(r"(\w+): (\w+)(, \w+(?: ([\w@]+))?)?", text).groups()
    if op in ("registration", "source", "config", "waiver") and not argument:
        general = re.match(r"\w+: \w+ ([\w./]+)", text)
        return rule, None, general and general[1]
    return rule, op, name if argument else op


READERS = {
    "json": from_json,
    "jsonl": from_jsonl,
    "rdjson": from_rdjson,
    "sarif": from_sarif,
    "gitlab": from_gitlab,
    "junit": from_junit,
    "markdown": from_markdown,
    "html": from_html,
}
