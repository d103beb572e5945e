"""A search with several processes must be the search of one: what is compared, once."""

COUNTS = ("verdict", "executions", "blocked_executions", "spin_executions", "steps", "complete")


def read_classes(path):
    """The class of each run, sorted: one that occurs twice shows."""
    with open(path) as stream:
        return sorted(line.split(" ", 1)[0] for line in stream)


def differences(alone, report):
    """What differs between two reports (with "classes"), as sentences."""
    wrong = ["%s is %s, with one process %s" % (key, report[key], alone[key])
             for key in COUNTS if report[key] != alone[key]]
    if sorted(report["outcomes"]) != sorted(alone["outcomes"]):
        wrong.append("other outcomes")
    if report["classes"] != alone["classes"]:
        wrong.append("other classes: %d that are new, %d that are missing"
                     % (len(set(report["classes"]) - set(alone["classes"])),
                        len(set(alone["classes"]) - set(report["classes"]))))
    if fingerprints(report) != fingerprints(alone):
        wrong.append("other findings")
    return wrong


def fingerprints(report):
    return {(f["kind"], f.get("fingerprint")) for f in report["findings"]}
