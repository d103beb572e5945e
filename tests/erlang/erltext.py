"""Reading Erlang terms as io_lib:format("~0p") prints them, as far as comparing needs.

Maps of more than 32 keys iterate in hash order, which no two implementations share, so both
sides are put into one order before they are compared: `normalise` sorts their printed entries.
Everything else must be equal as text.
"""

LARGE_MAP = 32
CLOSING = {"{": "}", "[": "]", "(": ")"}


def skip_quoted(text, start):
    """Index after the quoted atom or string that starts at `start`."""
    quote = text[start]
    i = start + 1
    while i < len(text) and text[i] != quote:
        i += 2 if text[i] == "\\" else 1
    return min(i + 1, len(text))


def skip_char(text, start):
    """Index after the `$c` character literal that starts at `start`."""
    return start + (3 if text[start + 1:start + 2] == "\\" else 2)


def copy_until(text, start, closing):
    """Normalise from `start` up to `closing` at this depth.

    Returns the comma-separated parts and the index of the closing bracket.
    """
    parts, current, i = [], [], start
    while i < len(text):
        c = text[i]
        if c in closing:
            break
        if c in "\"'":
            end = skip_quoted(text, i)
        elif c == "$":
            end = skip_char(text, i)
        elif c == "," and closing:
            parts.append("".join(current))
            current, i = [], i + 1
            continue
        elif c in CLOSING:
            inner, end = copy_until(text, i + 1, CLOSING[c])
            is_map = c == "{" and current and current[-1] == "#"
            if is_map and len(inner) > LARGE_MAP:
                inner.sort()
            current.append(c + ",".join(inner) + CLOSING[c])
            i = end + 1
            continue
        else:
            end = i + 1
        current.append(text[i:end])
        i = end
    parts.append("".join(current))
    return parts, i


def normalise(text):
    """The printed term with the entries of large maps in sorted order."""
    if "#{" not in text:
        return text
    parts, end = copy_until(text, 0, "")
    return "".join(parts) + text[end:]
