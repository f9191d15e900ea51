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
    found, op = [], None
    for line in text.partition("\nWhat the rules say")[0].splitlines():
        if header := re.fullmatch(r"- (?:`([\w@]+)`|not about a single op)(?: in `.*`)?", line):
            op = header[1]
        elif item := re.fullmatch(r"  - `(\w+)`(, \w+(?: `([\w@./]+)`)?)?: .* \(.*; `\w{16}`\)", line):
            found.append((item[1], op, item[3] if item[2] else op))
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
