"""The installed Elixir, for the runners that use it; it may be missing."""

import pathlib
import shutil


def is_there():
    return shutil.which("elixirc") is not None


def paths():
    """The ebin folders of the installed Elixir, found through its own launcher."""
    if not is_there():
        return []
    lib = pathlib.Path(shutil.which("elixirc")).resolve().parent.parent / "lib"
    return [lib / app / "ebin" for app in ("elixir", "logger", "ex_unit") if (lib / app).exists()]
