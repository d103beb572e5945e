"""A slow enumerator of execution graphs, for comparing: every graph that a memory model allows.

It knows nothing of src/weak. The order "na" is a plain access. A program is a list of threads, a thread a list of steps:

    ("load", var, order)  ("store", var, value, order)  ("add", var, value, order)
    ("xchg", var, value, order)  ("cas", var, expected, value, order, failed_order)
    ("await", var, value, order): a loop that loads until it has the value; one load that waits
    ("fence", order)  ("lock", mutex)  ("unlock", mutex)
    ("try", mutex)  ("untry", mutex): trylock, and unlock if that succeeded
    ("wait", semaphore)  ("post", semaphore)  ("trywait", semaphore)
    ("rdlock", rwlock)  ("rdunlock", rwlock)  ("wrlock", rwlock)  ("wrunlock", rwlock)

Program order and reads-from have no cycle in the models here, so each graph can be built by letting
threads take their steps in some order, where a read reads any write that is there and a write goes
anywhere into the modification order. All orders are tried; a graph counts once. Then the axioms are
evaluated as they are written, on sets of pairs.
"""

import copy

VARIABLES = ("x", "y")
INITIAL = {"s": 1}  # semaphores begin with one, all others with zero
HELD = -1           # the value of a lock; else the number of readers

# what each step on an object finds and leaves, or None if it cannot go on
OBJECT = {
    "lock": lambda v: HELD if v == 0 else None,
    "try": lambda v: HELD if v == 0 else None,
    "wrlock": lambda v: HELD if v == 0 else None,
    "unlock": lambda v: 0,
    "wrunlock": lambda v: 0,
    "rdlock": lambda v: v + 1 if v != HELD else None,
    "rdunlock": lambda v: v - 1,
    "wait": lambda v: v - 1 if v > 0 else None,
    "trywait": lambda v: v - 1 if v > 0 else None,
    "post": lambda v: v + 1,
}
ACQUIRES = ("lock", "try", "wrlock", "rdlock", "wait", "trywait")
RELEASES = ("unlock", "wrunlock", "rdunlock", "post")



class Event:
    def __init__(self, thread, index, kind, var=None, order=None, source=None, value=None,
                 written=None, locked=False, step=None):
        self.thread, self.index, self.kind, self.var, self.order = thread, index, kind, var, order
        self.source = source    # (thread, index) of the write that is read; None: initial
        self.value = value      # read
        self.written = written
        self.locked = locked    # a locked instruction on x86
        self.step = step        # on an object: its name

    @property
    def key(self):
        return (self.thread, self.index)

    def reads(self):
        return self.kind in ("R", "U")

    def writes(self):
        return self.kind in ("W", "U")


class Graph:
    """threads: tuples of events; mo: per variable a tuple of keys."""

    def __init__(self, threads, mo):
        self.threads, self.mo = threads, mo

    def canonical(self):
        return (tuple(tuple((e.kind, e.var, e.source, e.value, e.written) for e in t)
                      for t in self.threads),
                tuple(sorted(self.mo.items())))

    def events(self):
        return [e for t in self.threads for e in t]

    def find(self, key):
        return self.threads[key[0]][key[1]]


def extended(graph, event, place):
    threads = list(graph.threads)
    threads[event.thread] = threads[event.thread] + (event,)
    mo = graph.mo
    if event.writes():
        old = mo.get(event.var, ())
        mo = dict(mo)
        mo[event.var] = old[:place] + (event.key,) + old[place:]
    return Graph(tuple(threads), mo)


def sources(graph, var):
    """(place in modification order, key, value) of each write; the initial value first."""
    yield 0, None, INITIAL.get(var, 0)
    for place, key in enumerate(graph.mo.get(var, ())):
        yield place + 1, key, graph.find(key).written


def object_steps(graph, event):
    writes = list(sources(graph, event.var))
    for place, event.source, event.value in writes:
        event.written = OBJECT[event.step](event.value)
        if event.written is not None and place == writes[-1][0]:
            yield extended(graph, copy.copy(event), place)
        elif event.written is None and event.step in ("try", "trywait"):
            fails = copy.copy(event)
            fails.kind, fails.locked = "R", event.step == "try"
            yield extended(graph, fails, place)


def steps(graph, thread, step):
    """Every way in which the thread can take the step."""
    index = len(graph.threads[thread])
    what = step[0]
    if what == "fence":
        yield extended(graph, Event(thread, index, "F", order=step[1]), 0)
        return
    var = step[1]
    if what == "untry":
        tried = [e for e in graph.threads[thread] if e.step == "try" and e.var == var][-1]
        if tried.kind == "R":
            yield extended(graph, Event(thread, index, "N"), 0)
            return
        what = "unlock"
    if what in OBJECT:
        yield from object_steps(graph, Event(thread, index, "U", var, locked=True, step=what))
        return
    for place, key, value in sources(graph, var):
        if what == "await" and value != step[2]:
            continue
        if what in ("load", "await"):
            event = Event(thread, index, "R", var, step[-1], key, value)
        elif what == "store":
            event = Event(thread, index, "W", var, step[3], written=step[2])
        elif what == "add":
            event = Event(thread, index, "U", var, step[3], key, value, value + step[2], True)
        elif what == "xchg":
            event = Event(thread, index, "U", var, step[3], key, value, step[2], True)
        elif value == step[2]:
            event = Event(thread, index, "U", var, step[4], key, value, step[3], True)
        else:
            event = Event(thread, index, "R", var, step[5], key, value, locked=True)
        yield extended(graph, event, place)


def graphs(program, model):
    """All complete graphs of the program that the model allows, and those that end in a deadlock. A
    loop that waits sees the last value in the end."""
    allowed = {"rc11": is_rc11, "tso": is_tso, "sc": is_sc}[model]
    empty = Graph(tuple(() for _ in program), {})
    seen, todo, complete, stuck = {empty.canonical()}, [empty], [], []
    while todo:
        graph = todo.pop()
        is_complete = is_stuck = True
        for thread, code in enumerate(program):
            at = len(graph.threads[thread])
            if at == len(code):
                continue
            is_complete = False
            waits = code[at][0] == "await" and \
                list(sources(graph, code[at][1]))[-1][2] != code[at][2]
            for more in steps(graph, thread, code[at]):
                is_stuck = is_stuck and waits
                name = more.canonical()
                if name not in seen:
                    seen.add(name)
                    if allowed(more):
                        todo.append(more)
        if is_complete:
            complete.append(graph)
        elif is_stuck:
            stuck.append(graph)  # and what a loop can still see by an old value is tried, too
    return complete, stuck


def outcome(graph):
    """What the program prints: the value of each step that reads, then the last values. Of a try
    it is whether it succeeded."""
    read = [str(e.value if e.var in VARIABLES else int(e.kind == "U")) for t in graph.threads
            for e in t if (e.reads() and e.var in VARIABLES) or e.step in ("try", "trywait")]
    last = [str(graph.find(graph.mo[v][-1]).written if graph.mo.get(v) else 0) for v in VARIABLES]
    return " ".join(read + last)


# ---- relations: a list of bit masks, one per event ----

def compose(a, b):
    result = []
    for row in a:
        mask, i = 0, 0
        while row:
            if row & 1:
                mask |= b[i]
            row >>= 1
            i += 1
        result.append(mask)
    return result


def union(*relations):
    return [sum_or(rows) for rows in zip(*relations)]


def sum_or(rows):
    mask = 0
    for row in rows:
        mask |= row
    return mask


def closure(relation):
    rows = list(relation)
    for k in range(len(rows)):
        for i in range(len(rows)):
            if rows[i] >> k & 1:
                rows[i] |= rows[k]
    return rows


def is_irreflexive(relation):
    return not any(row >> i & 1 for i, row in enumerate(relation))


def is_acyclic(relation):
    return is_irreflexive(closure(relation))


def pairs(count, test):
    return [sum(1 << j for j in range(count) if test(i, j)) for i in range(count)]


class Relations:
    def __init__(self, graph):
        self.events = events = graph.events()
        n = self.n = len(events)
        place = {}
        for var, keys in graph.mo.items():
            for i, key in enumerate(keys):
                place[key] = i
        self.identity = [1 << i for i in range(n)]

        def source_place(e):
            return -1 if e.source is None else place[e.source]

        self.sb = pairs(n, lambda i, j: events[i].thread == events[j].thread and
                        events[i].index < events[j].index)
        self.rf = pairs(n, lambda i, j: events[j].reads() and events[j].source == events[i].key)
        self.mo = pairs(n, lambda i, j: events[i].writes() and events[j].writes() and
                        events[i].var == events[j].var and
                        place[events[i].key] < place[events[j].key])
        self.rb = pairs(n, lambda i, j: i != j and events[i].reads() and events[j].writes() and
                        events[i].var == events[j].var and
                        source_place(events[i]) < place[events[j].key])
        self.eco = closure(union(self.rf, self.mo, self.rb))
        self.atomic = all(place[e.key] == source_place(e) + 1 for e in events if e.kind == "U")

    def only(self, test):
        """The identity on the events for which the test holds."""
        return [1 << i if test(e) else 0 for i, e in enumerate(self.events)]

    def maybe(self, relation):
        return union(relation, self.identity)


def is_sc(graph):
    r = Relations(graph)
    return r.atomic and is_acyclic(union(r.sb, r.rf, r.mo, r.rb))


def is_tso(graph):
    r = Relations(graph)
    events = r.events
    per_location = pairs(r.n, lambda i, j: r.sb[i] >> j & 1 and events[i].var is not None and
                         events[i].var == events[j].var)
    if not r.atomic or not is_acyclic(union(per_location, r.rf, r.mo, r.rb)):
        return False

    def is_barrier(e):
        return e.locked or (e.order == "sc" and e.kind in ("F", "W"))

    def is_kept(i, j):
        if not r.sb[i] >> j & 1 or events[i].kind == "F" or events[j].kind == "F":
            return False
        if events[i].kind != "W" or events[j].kind != "R":
            return True
        return any(is_barrier(e) and e.thread == events[i].thread and
                   events[i].index <= e.index <= events[j].index for e in events)

    ppo = pairs(r.n, is_kept)
    rfe = pairs(r.n, lambda i, j: r.rf[i] >> j & 1 and events[i].thread != events[j].thread)
    return is_acyclic(union(ppo, rfe, r.mo, r.rb))


def object_edges(r):
    """Releases of an object before a step that acquires it; readers do not acquire from readers."""
    events = r.events
    return pairs(r.n, lambda i, j: r.mo[i] >> j & 1 and events[i].step in RELEASES and
                 events[j].step in ACQUIRES and
                 (events[i].step, events[j].step) != ("rdunlock", "rdlock"))


def happens_before(r):
    fence = r.only(lambda e: e.kind == "F")
    release = r.only(lambda e: e.order in ("rel", "ar", "sc") and (e.writes() or e.kind == "F"))
    acquire = r.only(lambda e: e.order in ("acq", "ar", "sc") and (e.reads() or e.kind == "F"))
    update = r.only(lambda e: e.kind == "U")
    write = r.only(lambda e: e.writes() and not e.step and e.order != "na")
    read = r.only(lambda e: e.reads() and not e.step and e.order != "na")
    sequence = compose(write, r.maybe(closure(compose(r.rf, update))))
    begin = compose(release, r.maybe(compose(fence, r.sb)))
    end = compose(r.maybe(compose(r.sb, fence)), acquire)
    sw = compose(compose(compose(compose(begin, sequence), r.rf), read), end)
    return closure(union(r.sb, sw, object_edges(r)))


def is_rc11(graph):
    r = Relations(graph)
    events = r.events
    hb = happens_before(r)
    if not r.atomic or not is_irreflexive(hb) or not is_irreflexive(compose(hb, r.eco)):
        return False

    def is_same(i, j):
        return events[i].var is not None and events[i].var == events[j].var

    diff = pairs(r.n, lambda i, j: r.sb[i] >> j & 1 and not is_same(i, j))
    hb_same = pairs(r.n, lambda i, j: hb[i] >> j & 1 and is_same(i, j))
    scb = union(r.sb, compose(compose(diff, hb), diff), hb_same, r.mo, r.rb)
    sc = r.only(lambda e: e.order == "sc")
    fence = r.only(lambda e: e.order == "sc" and e.kind == "F")
    left = union(sc, compose(fence, r.maybe(hb)))
    right = union(sc, compose(r.maybe(hb), fence))
    psc = union(compose(compose(left, scb), right),
                compose(compose(fence, union(hb, compose(compose(hb, r.eco), hb))), fence))
    return is_acyclic(psc)
