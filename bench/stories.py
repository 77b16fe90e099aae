"""Plays stories of daily use in tmux, over ssh and through a slow line, and reads the screen as a user would: see scripts/stories."""

import argparse
import contextlib
import http.server
import os
import shlex
import shutil
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True  # nothing is written beside the sources
from daily.screen import Failure, Screen
from daily.shop import Answers, World
from daily.stories import STORIES, Check
from daily.ways import Ways


def play(story, program, port, folder, way, limit):
    """The failure of a story, with the screen at that time, or nothing."""
    prepare, steps = story
    world = World(folder, port)
    if prepare:
        prepare(world)
    environment = {
        "HOME": folder, "XDG_STATE_HOME": world.path("state"), "XDG_CONFIG_HOME": world.path("config"), "LC_ALL": "C.UTF-8",
        "EDITOR": world.path("editor"), "TMPDIR": folder}
    settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in environment.items())
    command = shlex.quote(program) + ("" if prepare else " demo")
    world.write("run", f"cd {shlex.quote(folder)}\necho $$ >pid\nexec env {settings} {command}\n")
    world.screen = Screen(folder, way(f"sh {shlex.quote(world.path('run'))}"), limit)
    number = 0
    try:
        for number, step in enumerate(steps, 1):
            take(step, world)
    except Failure as failure:
        keys = f" ({steps[number - 1][0]})" if isinstance(steps[number - 1], tuple) else ""
        return f"step {number}{keys}: {failure}\n{world.screen.text().rstrip()}"
    finally:
        with contextlib.suppress(Failure):
            world.screen.end()
    return None


def take(step, world):
    if isinstance(step, Check):
        world.screen.wait_for(lambda: step.condition(world) or None, step.name)
    elif isinstance(step, tuple):
        world.screen.press(step[0])
        world.screen.see(*step[1:])
    else:
        step(world)


def install(program, folder):
    """A copy of the program with the demo where an installed one has it, so that nothing is written in the sources."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    os.makedirs(f"{folder}/bin")
    shutil.copy(program, f"{folder}/bin/ombi")
    server = os.path.join(os.path.dirname(program), "ombi-demo-server")
    if os.path.exists(server):
        shutil.copy(server, f"{folder}/bin")
    for name in ("collections", "docs", "schema"):
        shutil.copytree(f"{root}/{name}", f"{folder}/share/ombi/{name}")
    shutil.copy(f"{root}/README.md", f"{folder}/share/ombi")
    return f"{folder}/bin/ombi"


def main(options):
    stories = {name: story for name, story in STORIES.items() if any(word in name for word in options.only or [""])}
    if not stories:
        sys.exit("no story has these words in its name; there are: " + ", ".join(STORIES))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    failures = []
    with tempfile.TemporaryDirectory() as folder, Ways(folder, options.sshd) as ways:
        program = install(options.bin, folder)
        commands = {name: way for name, way in ways.commands().items() if not options.way or name in options.way}
        print("| story | " + " | ".join(commands) + " |\n| --- |" + " --- |" * len(commands), flush=True)
        for number, (name, story) in enumerate(stories.items()):
            print(f"| {name} |", end="", flush=True)
            for way, command in commands.items():
                begin = time.monotonic()
                Answers.count.clear()
                place = f"{folder}/{number}-{way.replace(' ', '-')}"
                failure = play(story, program, server.server_address[1], place, command, options.limit)
                print(f" {'**failed**' if failure else 'ok'}, {time.monotonic() - begin:.1f} s |", end="", flush=True)
                if failure:
                    failures.append(f"{name}, {way}, {failure}")
            print(flush=True)
    for failure in failures:
        print("\n" + failure)
    obstacle = f"; none over ssh: {ways.obstacle}" if ways.obstacle else ""
    print(f"\n{len(stories)} stories, {len(commands)} ways, {len(failures)} failed{obstacle}")
    return 1 if failures else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Plays stories of daily use, in tmux, over ssh and through a slow line.")
    parser.add_argument("--bin", required=True, help="the program")
    parser.add_argument("--only", action="append", metavar="WORDS", help="stories with these words in their names; may be given again")
    parser.add_argument("--way", action="append", choices=("tmux", "ssh", "slow line"), help="this way; may be given again")
    parser.add_argument("--sshd", default="", help="the sshd for the way over ssh")
    parser.add_argument("--limit", type=float, default=20, help="the seconds to wait for a text (20)")
    sys.exit(main(parser.parse_args()))
