"""Measures a converter by a vendor's outputs: run.py VENDOR COMMAND…

The command gets one result a line on standard input, and writes one output a line, or {"error": …} for what it refuses. Members
that the vendor's outputs leave out are not compared. Exits with 1 if anything differs that is not documented."""
import json
import subprocess
import sys

from corpus import VENDORS, cases


def main(vendor, *command):
    all_cases = cases(vendor)
    lines = "".join(json.dumps(it.result) + "\n" for it in all_cases)
    run = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, encoding="utf8")
    answers = run.stdout.splitlines()
    if len(answers) != len(all_cases):
        raise SystemExit(f"{len(answers)} lines came for {len(all_cases)} results: one each is needed")
    equal, documented, wrong = 0, 0, []
    for case, answer in zip(all_cases, map(json.loads, answers)):
        failed = isinstance(answer, dict) and set(answer) == {"error"}
        if isinstance(answer, dict):
            answer = {name: it for name, it in answer.items() if name not in VENDORS[vendor]["leaves_out"]}
        is_equal = case.is_answered_by(answer, failed)
        equal += is_equal
        documented += not is_equal and case.differs is not None
        if not is_equal and case.differs is None:
            theirs = {"error": case.error} if case.error else case.value
            wrong.append(f"{case.name}\n    theirs {shown(theirs)}\n    yours  {shown(answer)}")
    print(f"{equal} of {len(all_cases)} equal, {documented} differ for a reason that differences.json gives, {len(wrong)} differ", *wrong, sep="\n  ")
    return bool(wrong)


def shown(value, longest=400):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= longest else text[:longest] + "…"


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    sys.exit(main(*sys.argv[1:]))
