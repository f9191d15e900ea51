"""The findings that a report lists, read back from its text: the rule, the op and the name of each."""

from __future__ import annotations

import json
import re
from collections import Counter
from urllib.parse import unquote
from xml.etree import ElementTree


def from_json(text):
    return [(each["rule"], each["op"], each["name"]) for each in json.loads(text)["findings"]]


def from_jsonl(text):
    return [(each["rule"], each["op"], each["name"]) for each in map(json.loads, text.splitlines())]


def from_rdjson(text):
    found = ((each["code"]["value"], each["message"].split("\n")[0]) for each in json.loads(text)["diagnostics"])
    return [told(f"{rule}: " + re.sub(r"^\[.*?\] ", "", message)) for rule, message in found]


def from_azure(text):
    found = re.findall(r"^##vso\[task\.logissue .*?code=(\w+);\](.*?)(?:%0A|$)", text, re.MULTILINE)
    return [told(f"{rule}: {message}") for rule, message in found]


def from_sarif(text):
    (run,) = json.loads(text)["runs"]
    return [(each["ruleId"], each["properties"]["op"], each["properties"]["name"]) for each in run["results"]]


def from_gitlab(text):
    descriptions = ((each["check_name"], re.sub(r"^\[.*?\] ", "", each["description"])) for each in json.loads(text))
    return [told(f"{rule}: {description}") for rule, description in descriptions]


def from_junit(text):
    root = ElementTree.fromstring(text)  # noqa: S314 - it is our own
    return [told(re.sub(r"-\d+$", "", case.get("name"))) for case in root.iter("testcase")]


def from_github(text):
    titles = re.findall(r"^::\w+ .*?title=([^:]*)::", text, re.MULTILINE)
    return [
        told(unquote(title).removeprefix("newly waived, ").removeprefix("waived, ").removeprefix("approved, "))
        for title in titles
    ]


def from_markdown(text):
    """Those of the rows of the tables, and those of the lists."""
    found = []
    for cell, fold in re.findall(r'<tr><td>\n\n(.*?)\n\n</td>.*?<tr><td colspan="2">(.*?)</td></tr>', text, re.DOTALL):
        rule = re.search(r"^- rule \[`(\w+)`\]", fold, re.MULTILINE)[1]
        names = re.search(r"^- all of them: (.*)$", fold, re.MULTILINE)
        parts = cell.split("<br>")
        if ops := re.match(r"\d+ ops: (.*)", parts[0]):
            found += [(rule, op, op) for op in re.findall(r"`([\w@]+)`", (names or ops)[1])]
            continue
        op = re.match(r"`([\w@]+)`", parts[0])
        if several := re.match(r"\d+ \w+s: (.*)", parts[1] if op and len(parts) > 1 else ""):
            found += [(rule, op[1], name) for name in re.findall(r"`([\w@]+)`", (names or several)[1])]
            continue
        name = re.search(
            r"(?:attr|input|output|registration|source|config|change of|registered for)s? `([\w@./]+)`", cell
        )
        found.append((rule, op and op[1], name[1] if name else op and op[1]))
    for about, rule in re.findall(r"^- (.*?): .* \(`(\w+)`(?:, .*)?\)$", text, re.MULTILINE):
        op = re.match(r"`([\w@]+)`", about)
        argument = re.search(r"(?:^|, )\w+(?: `([\w@./]+)`)?$", about)
        found.append((rule, op and op[1], argument[1] if argument else op[1]))
    return found


def from_html(text):
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text)[1])
    shown = re.findall(r'<details id="(\w+(?:-\d+)?)" class="finding ', text)
    assert Counter(each["id"] for each in data) == Counter(shown)
    return [(each["rule"], each["op"], each["name"]) for each in data]


def told(text):
    """Rule, op and name from `RULE: OP`, `RULE: OP, KIND NAME`, `RULE: KIND` or `RULE: KIND NAME`."""
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
