#!/usr/bin/env python3
"""Write files as strings of C: embed.py OUTPUT HEADER INPUT…  (page.css becomes page_css)."""

import pathlib
import sys

out = ['#include "%s"' % sys.argv[2], ""]
for path in map(pathlib.Path, sys.argv[3:]):
    data = path.read_bytes()
    out.append("const char %s[] = {" % path.name.replace(".", "_"))
    for i in range(0, len(data), 16):
        out.append("\t" + " ".join("0x%02x," % byte for byte in data[i:i + 16]))
    out.append("\t0x00};\n")
pathlib.Path(sys.argv[1]).write_text("\n".join(out))
