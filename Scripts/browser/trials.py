"""Shared parts of all browser tests: programs, terminals, accessibility checks, and the runner.

A script is called with TOOLS FOLDER AXE: the folder of the built programs, one for screenshots and stores, and the file of axe.
"""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
import traceback

from chromium import BrowserError, Chromium

TOOLS, FOLDER, AXE = sys.argv[1:4]


def tool(name):
    return os.path.join(TOOLS, name)


def kept(name):
    """Returns the path of a file that remains after the tests."""
    return os.path.join(FOLDER, name)


def run(*command, **options):
    """Runs a program until it exits, and returns its output."""
    return subprocess.run(
        [tool(command[0]), *command[1:]], check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def start(*command, **options):
    """Starts a program."""
    return subprocess.Popen([tool(command[0]), *command[1:]], stdout=subprocess.PIPE, text=True, **options)


def stop(*processes):
    for process in processes:
        process.kill()
        process.wait()


class Server:
    """A program that serves pages; address contains the access token, root does not."""

    def __init__(self, *command, **options):
        self.process = start(*command, **options)
        line = self.process.stdout.readline()
        check(line, f"{command[0]} does not start.")
        self.address = line.split()[1]
        self.root = self.address.split("?")[0]

    def window(self, browser, path="", **options):
        """Returns an authorized browser window at a path."""
        window = browser.window(**options)
        window.open(self.address)
        if path:
            window.open(self.root + path)
        return window

    def close(self):
        stop(self.process)


class Terminal:
    """A terminal with a hundred columns in which a command runs."""

    def __init__(self, command):
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.execve(tool(command[0]), command, {**os.environ, "TERM": "xterm"})
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        self.shown = ""

    def press(self, keys):
        os.write(self.file, keys.encode())

    def wait(self, text, seconds=20):
        """Waits until a text is drawn after the text of the last call."""
        deadline = time.monotonic() + seconds
        while text not in self.shown:
            ready, _, _ = select.select([self.file], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise BrowserError(f"The terminal does not show {text!r}.")
            self.shown += os.read(self.file, 1 << 16).decode(errors="replace")
        self.shown = self.shown.split(text, 1)[1]

    def close(self):
        os.write(self.file, b"q")
        status = os.waitpid(self.process, 0)[1]
        os.close(self.file)
        return status


def rows(window, list_name):
    return window.value(f"[...document.querySelectorAll('#{list_name} > li')].map(row => row.id)")


def text(window, selector):
    """Returns the visible text of an element, or nothing if there is no such element."""
    return window.value(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")


def check(condition, message):
    if not condition:
        raise BrowserError(message)


def check_calm(window):
    """Checks that the console contains no errors."""
    complaints = window.complaints()
    check(complaints == [], f"The console complains: {complaints}")


def check_accessibility(browser, server, paths, widths=(390, 1440)):
    """Takes screenshots of pages at several widths in light and dark mode, and checks the pages with axe."""
    with open(AXE, encoding="utf-8") as file:
        axe = file.read()
    found = []
    for width in widths:
        for is_dark in [False, True]:
            window = server.window(browser, width=width, is_dark=is_dark)
            for name, path in paths.items():
                window.open(server.root + path)
                look = "dark" if is_dark else "light"
                window.screenshot(kept(f"{name}-{width}-{look}.png"))
                if not window.value("document.documentElement.scrollWidth <= innerWidth"):
                    found.append(f"{name} is wider than {width} pixels.")
                window.value(axe + ";0")
                violations = json.loads(window.value(
                    "axe.run().then(result => JSON.stringify(result.violations"
                    ".filter(v => ['serious', 'critical'].includes(v.impact)).map(v => v.id + ' ' + v.nodes[0].html)))"))
                found += [f"{name} {width} {look}: {violation}" for violation in violations]
    check(not found, "\n".join(found))


def run_tests(tests, *kinds):
    """Runs the tests of a script, and exits.

    tests are the globals of the script; each of kinds makes, of those before it, a part that tests get behind the browser, as many as
    they take, and that is closed at the end.
    """
    tests = [(name, test) for name, test in tests.items() if name.startswith("test_")]
    os.makedirs(FOLDER, exist_ok=True)
    browser, started, failed = Chromium(), [], 0
    try:
        for kind in kinds:
            started.append(kind(*started))
        given = [browser, *started]
        for name, test in tests:
            begin = time.monotonic()
            title = re.sub("_", " ", name[5:])
            try:
                test(*given[:test.__code__.co_argcount])
                print(f"passed: {title} ({time.monotonic() - begin:.1f} s)", flush=True)
            except Exception:
                failed += 1
                print(f"FAILED: {title}\n{traceback.format_exc()}", flush=True)
            # No window is active during the next test.
            browser.close_windows()
    finally:
        for part in reversed(started):
            part.close()
        browser.close()
    print(f"{len(tests) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
