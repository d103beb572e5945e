"""The outcomes of a generated program, worked out without the tool.

A thread's block is flattened into a list of steps; states are tuples; all are visited
once. The result is the set of outcomes as the tool counts them: what is printed at the end,
or "deadlock", or "spin" when nobody can go on but somebody turns in a loop. This is the
third opinion beside dfs and dpor, which share the runtime and could be wrong together.

Programs with unguarded plain variables are outside (a race has no meaning to compare).
"""

import gen


def flatten(block, code):
    """Append the steps of a block to code: tuples with absolute jump targets."""
    for op in block:
        kind = op[0]
        if kind in ("lock", "rwlock"):
            code.append((kind, op[1]))
            flatten(op[2], code)
            code.append(("unlock", op[1]) if kind == "lock" else ("rwunlock", op[1]))
        elif kind == "try":
            _, r, m, inner = op
            code.append(("try", r, m))
            jump = add_jump(code, r, 1)
            flatten(inner, code)
            code.append(("unlock", m))
            code[jump] = ("unless", r, 1, len(code))
        elif kind == "if":
            _, r, c, inner = op
            jump = add_jump(code, r, c)
            flatten(inner, code)
            code[jump] = ("unless", r, c, len(code))
        elif kind in ("wait", "wait_once"):
            flatten_wait(op, code)
        elif kind == "wake":
            code += [("cmlock", op[1]), ("set", op[1]), (op[2], op[1]), ("cmunlock", op[1])]
        else:
            code.append(op)


def add_jump(code, r, c):
    code.append(("unless", r, c, None))
    return len(code) - 1


def flatten_wait(op, code):
    kind, c = op
    code.append(("cmlock", c))
    start = len(code)
    after = start + (3 if kind == "wait" else 2)
    code += [("ifset", c, after), ("sleep", c)]
    if kind == "wait":
        code.append(("goto", start))
    code.append(("cmunlock", c))


class State:
    """A mutable copy of everything; `key` is its identity."""

    FIELDS = ("pcs", "regs", "x", "owner", "counter", "cm", "flag", "asleep", "readers",
              "writer", "sems", "pointer", "last")

    def __init__(self, threads):
        self.pcs = [0] * threads
        self.regs = [[0] * gen.REGISTERS for _ in range(threads)]
        self.x = [0] * gen.ATOMICS
        self.owner = [None] * gen.MUTEXES
        self.counter = [0] * gen.MUTEXES
        self.cm = [None] * gen.CONDS
        self.flag = [0] * gen.CONDS
        self.asleep = [0] * threads     # 1 waits for a signal, 2 woken and wants the lock
        self.readers = []
        self.writer = None
        self.sems = [0] * gen.SEMS
        self.pointer = 0
        self.last = [0] * threads

    def copy(self):
        new = State.__new__(State)
        for name in self.FIELDS:
            value = getattr(self, name)
            if name == "regs":
                value = [list(row) for row in value]
            elif isinstance(value, list):
                value = list(value)
            setattr(new, name, value)
        return new

    def key(self):
        return repr([getattr(self, name) for name in self.FIELDS])


class Model:
    def __init__(self, program):
        self.code = []
        for block in program:
            self.code.append([])
            flatten(block, self.code[-1])

    def settle(self, state):
        """Let every thread take its invisible steps."""
        for t, code in enumerate(self.code):
            while state.pcs[t] < len(code) and not state.asleep[t]:
                op = code[state.pcs[t]]
                if op[0] == "unless":
                    state.pcs[t] = state.pcs[t] + 1 if state.regs[t][op[1]] == op[2] else op[3]
                elif op[0] == "goto":
                    state.pcs[t] = op[1]
                elif op[0] == "ifset":
                    state.pcs[t] = op[2] if state.flag[op[1]] else state.pcs[t] + 1
                elif op[0] == "count":
                    state.counter[op[1]] += 1
                    state.pcs[t] += 1
                elif op[0] == "set":
                    state.flag[op[1]] = 1
                    state.pcs[t] += 1
                else:
                    break

    def is_enabled(self, state, t):
        if state.pcs[t] >= len(self.code[t]):
            return False
        op = self.code[t][state.pcs[t]]
        if state.asleep[t]:
            return state.asleep[t] == 2 and state.cm[op[1]] is None
        if op[0] == "lock":
            return state.owner[op[1]] is None
        if op[0] == "cmlock":
            return state.cm[op[1]] is None
        if op[0] == "rwlock":
            return state.writer is None and (op[1] == "rd" or not state.readers)
        if op[0] == "down":
            return state.sems[op[1]] > 0
        if op[0] == "spin":
            return state.x[op[1]] == op[2]
        if op[0] == "await":
            return state.x[op[2]] >= op[3]
        if op[0] == "fresh":
            return state.x[op[2]] != state.last[t]
        return True

    def successors(self, state, t):
        """The states after one step of t; a signal has one for each it may wake."""
        new = state.copy()
        op = self.code[t][new.pcs[t]]
        if new.asleep[t] == 2:
            new.asleep[t] = 0
            new.cm[op[1]] = t
            new.pcs[t] += 1
            return [new]
        if op[0] == "sleep":
            new.cm[op[1]] = None
            new.asleep[t] = 1
            return [new]
        new.pcs[t] += 1
        if op[0] == "signal":
            sleepers = [u for u, how in enumerate(new.asleep) if how == 1]
            return [wake(new, [u]) for u in sleepers] or [new]
        if op[0] == "broadcast":
            return [wake(new, [u for u, how in enumerate(new.asleep) if how == 1])]
        self.act(new, t, op)
        return [new]

    def act(self, state, t, op):
        kind, regs = op[0], state.regs[t]
        if kind == "store":
            state.x[op[1]] = op[2]
        elif kind in ("load", "await"):
            regs[op[1]] = state.x[op[2]]
        elif kind == "fresh":
            regs[op[1]] = state.last[t] = state.x[op[2]]
        elif kind == "add":
            regs[op[1]] = state.x[op[2]]
            state.x[op[2]] += op[3]
        elif kind == "xchg":
            regs[op[1]], state.x[op[2]] = state.x[op[2]], op[3]
        elif kind == "cas":
            regs[op[1]] = int(state.x[op[2]] == op[3])
            if regs[op[1]]:
                state.x[op[2]] = op[4]
        elif kind in ("lock", "try"):
            self.take(state, t, op)
        elif kind == "unlock":
            state.owner[op[1]] = None
        elif kind == "cmlock":
            state.cm[op[1]] = t
        elif kind == "cmunlock":
            state.cm[op[1]] = None
        elif kind in ("rwlock", "rwunlock"):
            self.share(state, t, op)
        elif kind in ("post", "down", "trydown"):
            self.move_semaphore(state, t, op)
        elif kind in ("put", "drop"):
            state.pointer = int(kind == "put")

    @staticmethod
    def take(state, t, op):
        m = op[-1]
        got = state.owner[m] is None
        if op[0] == "try":
            state.regs[t][op[1]] = int(got)
        if got:
            state.owner[m] = t

    @staticmethod
    def share(state, t, op):
        if op[0] == "rwlock" and op[1] == "rd":
            state.readers = sorted(state.readers + [t])
        elif op[0] == "rwlock":
            state.writer = t
        elif op[1] == "rd":
            state.readers.remove(t)
        else:
            state.writer = None

    @staticmethod
    def move_semaphore(state, t, op):
        s = op[-1]
        if op[0] == "post":
            state.sems[s] += 1
        elif op[0] == "down":
            state.sems[s] -= 1
        else:
            got = state.sems[s] > 0
            state.regs[t][op[1]] = int(got)
            state.sems[s] -= got

    def final(self, state):
        """The outcome of a state in which nobody can go on."""
        stuck = [t for t, code in enumerate(self.code) if state.pcs[t] < len(code)]
        if not stuck:
            return printed(state)
        spins = any(self.code[t][state.pcs[t]][0] in ("spin", "await", "fresh") for t in stuck)
        return "spin" if spins else "deadlock"

    def outcomes(self, limit=200000):
        """All outcomes, or None if there are more states than limit."""
        first = State(len(self.code))
        self.settle(first)
        todo, seen, found = [first], {first.key()}, set()
        while todo:
            state = todo.pop()
            enabled = [t for t in range(len(self.code)) if self.is_enabled(state, t)]
            if not enabled:
                found.add(self.final(state))
            for t in enabled:
                for new in self.successors(state, t):
                    self.settle(new)
                    key = new.key()
                    if key not in seen:
                        seen.add(key)
                        todo.append(new)
            if len(seen) > limit:
                return None
        return found


def wake(state, threads):
    new = state.copy()
    for t in threads:
        new.asleep[t] = 2
    return new


def printed(state):
    numbers = state.x + state.counter + [0, state.pointer]
    for row in state.regs:
        numbers += row
    return " ".join(str(n) for n in numbers)


def outcomes_of(program):
    return Model(program).outcomes()
