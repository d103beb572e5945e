"""Makes pictures small: a screenshot has few colours, so an indexed PNG of it is a third of the size.

Reads what chromium writes (8 bits a channel, RGB or RGBA, not interlaced) and writes a palette.
"""

import collections
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunks(data):
    at = len(SIGNATURE)
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        yield kind, data[at + 8:at + 8 + length]
        at += 12 + length


def paeth(left, above, corner):
    guess = left + above - corner
    distances = abs(guess - left), abs(guess - above), abs(guess - corner)
    return (left, above, corner)[distances.index(min(distances))]


def unfilter(kind, line, before, step):
    """One row without its filter; `before` is the row above it."""
    row = bytearray(line)
    for i, value in enumerate(row):
        left = row[i - step] if i >= step else 0
        if kind == 1:
            row[i] = value + left & 255
        elif kind == 2:
            row[i] = value + before[i] & 255
        elif kind == 3:
            row[i] = value + (left + before[i] >> 1) & 255
        elif kind == 4:
            row[i] = value + paeth(left, before[i], before[i - step] if i >= step else 0) & 255
    return row


def read(data):
    """Width, height and rows of (red, green, blue)."""
    parts = collections.defaultdict(bytes)
    for kind, content in chunks(data):
        parts[kind] += content
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    if depth != 8 or colour not in (2, 6) or interlace:
        raise ValueError("not a picture as chromium writes it")
    step = 3 if colour == 2 else 4
    raw, rows, before = zlib.decompress(parts[b"IDAT"]), [], bytearray(width * step)
    for y in range(height):
        at = y * (width * step + 1)
        before = unfilter(raw[at], raw[at + 1:at + 1 + width * step], before, step)
        rows.append([tuple(before[x:x + 3]) for x in range(0, width * step, step)])
    return width, height, rows


def nearest(colour, palette):
    return min(range(len(palette)),
               key=lambda i: sum((a - b) ** 2 for a, b in zip(colour, palette[i])))


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(
        ">I", zlib.crc32(kind + content))


def write(rows, colours=48):
    """An indexed PNG with the most frequent colours; the others become the nearest of them."""
    counts = collections.Counter(pixel for row in rows for pixel in row)
    palette = [colour for colour, _ in counts.most_common(colours)]
    index = {colour: nearest(colour, palette) for colour in counts}
    raw = b"".join(b"\0" + bytes(index[pixel] for pixel in row) for row in rows)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 3, 0, 0, 0)
    return (SIGNATURE + chunk(b"IHDR", header) + chunk(b"PLTE", b"".join(map(bytes, palette))) +
            chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


def trim(rows):
    """Without the rows at the end that are all of one colour."""
    last = len(rows)
    while last > 1 and len(set(rows[last - 1])) == 1 and rows[last - 1] == rows[-1]:
        last -= 1
    return rows[:min(len(rows), last + 12)]


def shrink(path):
    with open(path, "rb") as file:
        _, _, rows = read(file.read())
    with open(path, "wb") as file:
        file.write(write(trim(rows)))
