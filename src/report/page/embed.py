#!/usr/bin/env python3
"""Write files as strings of C: embed.py OUTPUT INPUT…  (page.css becomes page_css)."""

import pathlib
import sys

out = ['#include "report/page.h"', ""]
for path in map(pathlib.Path, sys.argv[2:]):
    data = path.read_bytes()
    out.append("const char %s[] = {" % path.name.replace(".", "_"))
    for i in range(0, len(data), 16):
        out.append("\t" + " ".join("0x%02x," % byte for byte in data[i:i + 16]))
    out.append("\t0x00};\n")
pathlib.Path(sys.argv[1]).write_text("\n".join(out))
