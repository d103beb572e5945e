"""A command on a terminal of a given size, as if it had been typed by hand.

    status, text = terminal.run([tool, "report", finding], columns=80, rows=24)

The command leads a session and the process group in its foreground, like a command of an interactive
shell. The text is everything that the terminal showed; its line ends are made plain. A command that prints
nothing for timeout_s seconds is killed, and the text says so.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import termios


def run(command, columns=80, rows=24, env=None, cwd=None, timeout_s=60):
    # The size is set before the command begins: it may ask at once.
    ready, go = os.pipe()
    pid, fd = pty.fork()
    if pid == 0:
        os.close(go)
        os.read(ready, 1)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, a shell does not
        os.close(ready)
        if cwd:
            os.chdir(cwd)
        try:
            os.execvpe(command[0], command, os.environ if env is None else env)
        finally:
            os._exit(127)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.close(ready)
    os.close(go)
    chunks = []
    while True:
        if not select.select([fd], [], [], timeout_s)[0]:
            os.killpg(pid, signal.SIGKILL)  # a command that waits for a key would wait for ever
            chunks.append(b"\n(killed: it waits)\n")
            break
        try:
            chunk = os.read(fd, 65536)
        except OSError:  # the terminal is closed
            break
        if not chunk:
            break
        chunks.append(chunk)
    os.close(fd)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), b"".join(chunks).decode(errors="replace").replace("\r\n", "\n")
