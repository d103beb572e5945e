#!/usr/bin/env python3
"""otp.py DRIVER: all of the installed OTP in less than 20 seconds of CPU time and 1 GB."""
import os
import resource
import shutil
import subprocess
import sys

MAX_SECONDS = 20
MAX_KB = 1 << 20


def main():
    erl = shutil.which("erl")
    if not erl:
        return 77
    root = os.path.dirname(os.path.dirname(os.path.realpath(erl)))
    done = subprocess.run([sys.argv[1], "races", root], capture_output=True, text=True,
                          timeout=300, check=False)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    print(done.stdout.splitlines()[-1], f"{seconds:.1f} s, {used.ru_maxrss} kB")
    if "sanitize" in sys.argv[2:]:
        return done.returncode != 1
    return done.returncode != 1 or seconds > MAX_SECONDS or used.ru_maxrss > MAX_KB


if __name__ == "__main__":
    sys.exit(main())
