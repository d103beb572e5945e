"""Make a failing program smaller while it still fails."""

import program as programs


def smaller_blocks(block):
    """All blocks with one operation less, and those in which a condition always holds."""
    for i, op in enumerate(block):
        yield block[:i] + block[i + 1:]
        inner = programs.block_of(op)
        if inner is None:
            continue
        if op[0] == "if":
            yield block[:i] + inner + block[i + 1:]
        for less in smaller_blocks(inner):
            yield block[:i] + [op[:-1] + (less,)] + block[i + 1:]


def renumber(block, gone):
    """The block without the operations on thread `gone`; those behind it move up."""
    kept = []
    for op in block:
        if op[0] in ("spawn", "CANCEL", "KILL", "HIT"):
            if op[1] == gone:
                kept += renumber(programs.block_of(op) or [], gone)
                continue
            op = (op[0], op[1] - (op[1] > gone), *op[2:])
        if programs.block_of(op) is not None:
            op = op[:-1] + (renumber(op[-1], gone),)
        kept.append(op)
    return kept


def smaller_programs(program):
    """Candidates, the much smaller ones first."""
    for t in range(len(program)):
        if len(program) > 1:
            yield [renumber(block, t + 1) for block in program[:t] + program[t + 1:]]
    for t, block in enumerate(program):
        for less in smaller_blocks(block):
            yield program[:t] + [less] + program[t + 1:]


def shrink(program, still_fails, tries):
    """`still_fails(program)` is asked at most `tries` times."""
    progress = True
    while progress and tries > 0:
        progress = False
        for candidate in smaller_programs(program):
            tries -= 1
            if tries <= 0:
                break
            if still_fails(candidate):
                program, progress = candidate, True
                break
    return program
