"""Checks of the files that --junit, --sarif and --json write, for every runner that has some.

Each function raises Wrong (tally.py) with a sentence about the first thing that does not hold.
check_json and check_sarif need Debian's python3-jsonschema and raise Skipped without it.
"""

import json
import os
import xml.etree.ElementTree as ElementTree

from tally import Skipped, want

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

SUITE_ATTRIBUTES = {"name", "tests", "failures", "errors", "skipped", "time"}
CASE_CHILDREN = {"failure", "error", "skipped", "system-out"}


def load(path):
    with open(path) as file:
        return file.read()


def closed(schema):
    """The same schema, in which an object may have no member that the schema does not name: every
    member that the tool writes must be documented."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    schema = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        schema.setdefault("additionalProperties", False)
    return schema


def validate(document, schema_path, is_closed=False):
    try:
        import jsonschema
    except ImportError:
        raise Skipped("python3-jsonschema is missing")
    schema = json.loads(load(schema_path))
    validator = jsonschema.Draft7Validator(closed(schema) if is_closed else schema)
    validator.check_schema(schema)
    for error in validator.iter_errors(document):
        where = "/".join(str(part) for part in error.absolute_path)
        want(False, "%s at %s: %s", os.path.basename(schema_path), where or "the top",
             error.message[:300])


def check_races_json(text):
    """The report of fermata races by docs/races.schema.json; returns it."""
    report = json.loads(text)
    validate(report, os.path.join(ROOT, "docs", "races.schema.json"), is_closed=True)
    return report


def check_json(text):
    """The report by docs/report.schema.json; returns it."""
    report = json.loads(text)
    validate(report, os.path.join(ROOT, "docs", "report.schema.json"), is_closed=True)
    tests = report.get("tests")
    if tests is not None:
        for key in ("executions", "sampled", "steps"):
            total = sum(one.get(key, 0) for one in tests)
            want(report[key] == total, "%s: %d, but the tests have %d", key, report[key], total)
        findings = sum(len(one.get("findings", ())) for one in tests)
        want(len(report["findings"]) == findings, "%d findings, but the tests have %d",
             len(report["findings"]), findings)
    return report


def check_sarif(text):
    """SARIF 2.1.0, as far as the tool uses it, and the schema of OASIS if FERMATA_SARIF_SCHEMA names
    its file; returns the results."""
    document = json.loads(text)
    validate(document, os.path.join(ROOT, "tests", "forms", "sarif.schema.json"))
    if os.environ.get("FERMATA_SARIF_SCHEMA"):
        validate(document, os.environ["FERMATA_SARIF_SCHEMA"])
    run = document["runs"][0]
    rules = run["tool"]["driver"].get("rules", [])
    bases = run.get("originalUriBaseIds", {})
    for result in run["results"]:
        index = result.get("ruleIndex")
        want(index is None or rules[index]["id"] == result["ruleId"],
             "ruleIndex %s is not the rule %s", index, result["ruleId"])
        for location in result["locations"]:
            artifact = location["physicalLocation"]["artifactLocation"]
            base = artifact.get("uriBaseId")
            want(base is None or base in bases, "uriBaseId %s is not declared", base)
            want(base is None or not artifact["uri"].startswith(("/", "file:")),
                 "%s is not relative", artifact["uri"])
    return run["results"]


def check_junit(text):
    """A JUnit document whose counts and times are true; returns {test name: its element}."""
    root = ElementTree.fromstring(text)
    want(root.tag == "testsuites", "the root is %s", root.tag)
    cases = {}
    for suite in root:
        want(suite.tag == "testsuite", "testsuites has a %s", suite.tag)
        want(set(suite.attrib) == SUITE_ATTRIBUTES, "testsuite has %s", sorted(suite.attrib))
        found = suite.findall("testcase")
        counts = {"tests": len(found), "failures": 0, "errors": 0, "skipped": 0}
        seconds = 0.0
        for case in found:
            want(set(case.attrib) == {"classname", "name", "time"}, "testcase has %s",
                 sorted(case.attrib))
            want(case.get("name") and case.get("name") not in cases, "the name %r is empty or not "
                 "unique", case.get("name"))
            tags = [child.tag for child in case]
            want(set(tags) <= CASE_CHILDREN and len(tags) == len(set(tags)),
                 "testcase has %s", tags)
            for tag, count in (("failure", "failures"), ("error", "errors")):
                counts[count] += tag in tags
            for child in case:
                want(child.tag == "system-out" or child.get("type"), "%s has no type", child.tag)
            seconds += float(case.get("time"))
            cases[case.get("name")] = case
        for key, value in counts.items():
            want(int(suite.get(key)) == value, "%s is %s, not %d", key, suite.get(key), value)
        want(seconds <= float(suite.get("time")) + 0.002 * len(found),
             "the tests take %.3f s, the suite %s s", seconds, suite.get("time"))
    for key in ("tests", "failures", "errors"):
        total = sum(int(suite.get(key)) for suite in root)
        want(int(root.get(key)) == total, "testsuites: %s is %s, not %d", key, root.get(key), total)
    return cases


def verdict_of_case(case):
    """"failure", "error" or "passed"."""
    for tag in ("failure", "error"):
        if case.find(tag) is not None:
            return tag
    return "passed"
