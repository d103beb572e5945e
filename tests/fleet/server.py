"""A real redis-server for a test, in a folder of its own, and a client of a few lines."""

import os
import shutil
import signal
import socket
import subprocess
import time


def is_installed():
    return shutil.which("redis-server") is not None


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Server:
    """On loopback. Every write is on the disk before it is answered (AOF), so a restart loses
    nothing."""

    def __init__(self, folder, *options, password=None):
        self.folder, self.port, self.options = folder, free_port(), options
        self.password = password
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", self.folder,
             "--appendonly", "yes", "--appendfsync", "always", "--save", "", "--loglevel",
             "warning", *self.options], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        for _ in range(500):
            try:
                self.call("PING")
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError("redis-server does not start")

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def freeze(self, seconds):
        """What its clients see is a network that was cut: packets are not answered."""
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.process.send_signal(signal.SIGCONT)

    def url(self, name, user=""):
        return "redis://%s127.0.0.1:%d/%s" % (user, self.port, name)

    def call(self, *words):
        """The answer to one command, as numbers, bytes, lists, None or an exception."""
        with socket.create_connection(("127.0.0.1", self.port), 5) as connection:
            stream = connection.makefile("rb")
            if self.password:
                connection.sendall(b"AUTH %s\r\n" % self.password.encode())
                read_answer(stream)
            words = [w if isinstance(w, bytes) else str(w).encode() for w in words]
            connection.sendall(b"*%d\r\n" % len(words) +
                               b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))
            return read_answer(stream)


def read_answer(stream):
    line = stream.readline()
    kind, rest = line[:1], line[1:-2]
    if kind == b"-":
        raise OSError(rest.decode())
    if kind == b"+":
        return rest
    if kind == b":":
        return int(rest)
    if kind == b"$":
        return None if rest == b"-1" else stream.read(int(rest) + 2)[:-2]
    if kind == b"*":
        return None if rest == b"-1" else [read_answer(stream) for _ in range(int(rest))]
    raise OSError("no answer")
