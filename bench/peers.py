"""Other model checkers of C programs, for measurements side by side.

A peer interprets LLVM code. It gets the arguments of the program in the code, because GenMC passes none,
and is measured with each of its options; the option with the least CPU time counts. A time is the CPU
time of the process, from its beginning to its end; compiling is not part of it.

    for peer in find_peers({"nidhugg": None, "genmc": "/opt/genmc/genmc"}, folder):
        best = peer.best(source, ["12"], flags=[], repeat=3, timeout_s=60)
        best.executions, best.cpu_s, best.option
"""

import collections
import os
import re
import resource
import shutil
import subprocess

Measured = collections.namedtuple("Measured", "executions cpu_s option")

# The programs read their arguments by atoi(), which the peers do not know.
MAIN = """#include <stdlib.h>
static int number_of(const char *text)
{
	int number = 0;
	while (*text)
		number = number * 10 + (*text++ - '0');
	return number;
}
#define atoi number_of
#define main program_main
#include "%s"
#undef main
int main(void)
{
	static char *argv[] = {"program", %s(char *)0};
	return program_main(%d, argv);
}
"""


def run(command, timeout_s):
    """What it printed and its CPU seconds; (None, 0) if it took too long or failed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=timeout_s, check=False)
    except subprocess.TimeoutExpired:
        return None, 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return (done.stdout if done.returncode == 0 else None), cpu_s


class Peer:
    """name, options (each a list of words), count (what its output says of executions), and headers."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def headers(self):
        return []

    def compile(self, source, args, flags):
        """The LLVM code of the program with these arguments, or None."""
        wrapped = os.path.join(self.folder, self.name + ".c")
        code = os.path.join(self.folder, self.name + ".ll")
        with open(wrapped, "w") as stream:
            words = "".join('"%s", ' % arg for arg in args)
            stream.write(MAIN % (os.path.abspath(source), words, len(args) + 1))
        command = ["clang", "-S", "-emit-llvm", "-Xclang", "-disable-O0-optnone", "-g", "-w", *self.headers(),
                   "-I" + os.path.dirname(os.path.abspath(source)), *flags, "-o", code, wrapped]
        done = subprocess.run(command, stderr=subprocess.DEVNULL, check=False)
        return code if done.returncode == 0 else None

    def measure(self, code, option, timeout_s):
        text, cpu_s = run([self.path, *option, *self.always, code], timeout_s)
        match = re.search(self.count, text or "")
        return Measured(int(match.group(1)), cpu_s, " ".join(option)) if match else None

    def best(self, source, args, flags, repeat, timeout_s):
        """The fastest of its options; None if none of them comes to its end."""
        code = self.compile(source, args, flags)
        found = [self.measure(code, option, timeout_s)
                 for option in self.options * repeat] if code else []
        return min((one for one in found if one), key=lambda one: one.cpu_s, default=None)


class Nidhugg(Peer):
    name = "nidhugg"
    options = [["--sc", "--source"], ["--sc", "--optimal"], ["--sc", "--observers"], ["--sc", "--rf"]]
    always = ["--disable-mutex-init-requirement"]
    count = r"Trace count: (\d+)"

    def compile(self, source, args, flags):
        """As its front end nidhuggc does: loops that wait are made into assumptions first."""
        code = super().compile(source, args, flags)
        made = os.path.join(self.folder, self.name + ".transformed.ll")
        if os.path.exists(made):
            os.unlink(made)
        if code:
            run([self.path, "--transform=" + made, code], 60)
        return made if os.path.exists(made) else code


class GenMC(Peer):
    name = "genmc"
    # Without its cache of instructions it is up to seven times as fast (readers); with in-place revisits two
    # stores that no read orders are an error (peterson).
    options = [["--sc", *cache, *other] for cache in ([], ["--disable-instruction-caching"])
               for other in ([], ["--disable-sr"], ["--disable-ipr"])]
    always = ["--disable-estimation", "--input-from-bitcode-file"]
    count = r"complete executions explored: (\d+)"

    def headers(self):
        """GenMC has a <pthread.h> of its own, beside the program or where it was installed."""
        folder = os.path.dirname(os.path.realpath(self.path))
        places = [os.path.join(folder, "include"), os.path.join(folder, "..", "include", "genmc")]
        return ["-D__CONFIG_GENMC_INODE_DATA_SIZE=64",
                *("-I" + place for place in places if os.path.isdir(place))]


def find_peers(paths, folder):
    """The peers that are installed; paths has the file of a peer, or None for the one on the PATH.
    Prints which are missing."""
    found, missing = [], []
    for kind in (Nidhugg, GenMC):
        path = shutil.which(paths.get(kind.name) or kind.name)
        if path:
            found.append(kind(path, folder))
        else:
            missing.append(kind.name)
    if missing:
        print("not installed, so not measured: %s (--nidhugg PATH, --genmc PATH)" % ", ".join(missing))
    return found
