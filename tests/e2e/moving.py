"""Values that differ from process to process, and steps that take long.

The methods are test cases of tests/e2e/run, which has the helpers they call.
"""

import glob
import os
import re

import fermata
from tally import want


def output_of(text):
    """The lines that the program printed in the run that a report shows."""
    return re.findall(r"^    \| (.*)$", text, re.MULTILINE)


class MovingCases:
    def outputs_of_a_finding(self, flags):
        """Test the program, replay its finding twice; return the three outputs."""
        out = self.out_dir()
        status, text, _ = self.run("test", *flags, "--out", out, "--", self.build("moving"))
        want(status == 1, "exit %d: %s", status, fermata.last_line(text))
        shown = [output_of(text)]
        finding, = glob.glob(os.path.join(out, "*"))
        for environment in ({}, {"MORE": "x" * 5000}):
            status, text, _ = self.run("replay", finding, env=environment)
            want(status == 1, "replay: exit %d: %s", status, fermata.last_line(text))
            shown.append(output_of(text))
        return shown

    def test_values_of_the_process_are_the_same_in_every_run(self):
        for flags in ((), ("--restart", "fork"), ("--strategy", "dpor")):
            shown = self.outputs_of_a_finding(flags) + self.outputs_of_a_finding(flags)
            want(len(shown[0]) > 10, "the output is not shown: %s", shown[0])
            for other in shown[1:]:
                want(other == shown[0], "%s, then %s", shown[0], other)
