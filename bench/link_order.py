"""Prints the functions that a start runs, mangled, for the linker: see scripts/package.

Arguments: the program with its symbols and without what a debugger needs, the linker's map of it, and a collection."""

import os
import re
import signal
import sys
import tempfile

from viewer import Program

QUIET = 10  # seconds; valgrind is slow
MAXIMUM_SHARED = 30_000  # bytes of a section that holds many functions, of which one is enough to bring it along


def record(program, collection):
    """The names of the functions that run until the first screen is complete."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(HOME=folder, XDG_STATE_HOME=folder, XDG_CONFIG_HOME=folder)
        profile = os.path.join(folder, "profile")
        valgrind = ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={profile}"]
        with Program(*valgrind, program, collection) as run:
            run.settle(QUIET)
            os.kill(run.pid, signal.SIGTERM)
            try:
                run.settle(QUIET)
            except OSError:
                # The end of the program.
                pass
        with open(profile) as lines:
            return [match.group(1) for line in lines if (match := re.match(r"c?fn=\(\d+\) (\S+?)('\d+)?$", line))]


def sections(path):
    """The section of each function in the linker's map, as its name and its bytes."""
    found, section = {}, None
    with open(path, errors="replace") as lines:
        for line in lines:
            fields = line.split(None, 4)
            if len(fields) < 5 or not re.fullmatch("[0-9a-f]+", fields[0]):
                continue
            name = fields[4].strip()
            if ":(" in name:
                section = (name, int(fields[2], 16)) if ":(.text" in name else None
            elif section:
                found.setdefault(name, section)
    return found


def main(program, map_path, collection):
    known, own, shared = sections(map_path), set(), {}
    for name in record(program, collection):
        section, size = known.get(name, (None, 0))
        if section and not section.endswith(":(.text)"):
            own.add(name)
        elif section and size <= MAXIMUM_SHARED:
            shared[section] = name
    if len(own) < 500:
        sys.exit(f"{map_path} knows {len(own)} of the functions: it is no map of {program}")
    print("\n".join(sorted(own) + sorted(shared.values())))


main(*sys.argv[1:])
