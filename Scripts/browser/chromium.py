"""A headless Chromium, controlled through the pipe of its DevTools protocol; needs only Debian's package."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class BrowserError(Exception):
    """An error that the browser reported, or a timeout."""


class Chromium:
    """A browser with its own profile, which is deleted when the browser is closed."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="browser-tests-")
        commands, self.commands = os.pipe()
        self.answers, answers = os.pipe()

        def hand_over():
            # The protocol uses descriptors 3 and 4. Duplicate the pipes first, because one of them may already use 3 or 4.
            first, second = os.dup(commands), os.dup(answers)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--disable-dev-shm-usage", "--mute-audio", "--autoplay-policy=user-gesture-required", "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=hand_over, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.rest = b""
        self.number = 0
        self.events = []
        self.windows = []

    def send(self, method, session=None, **parameters):
        """Sends a command, and returns its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + 30
        while True:
            answer = self._next(deadline)
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def _next(self, deadline):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.answers], [], [], max(0, deadline - time.monotonic()))
            piece = os.read(self.answers, 1 << 20) if ready else b""
            if not piece:
                raise BrowserError("The browser does not answer.")
            self.rest += piece
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def window(self, width=1280, height=900, **options):
        """Opens a window with its own cookies."""
        window = Window(self, width, height, **options)
        self.windows.append(window)
        return window

    def close_windows(self):
        for window in self.windows:
            window.close()
        self.windows = []

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


class Window:
    """One page."""

    def __init__(self, browser, width, height, runs_scripts=True, is_dark=False):
        self.browser = browser
        self.context = browser.send("Target.createBrowserContext")["browserContextId"]
        target = browser.send("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.send("Page.enable")
        self.send("Runtime.enable")
        self.send("Log.enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.send("Emulation.setScriptExecutionDisabled", value=not runs_scripts)
        scheme = "dark" if is_dark else "light"
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def send(self, method, **parameters):
        return self.browser.send(method, session=self.session, **parameters)

    def open(self, address):
        """Loads a page, and waits until it is loaded."""
        result = self.send("Page.navigate", url=address)
        if "errorText" in result:
            raise BrowserError(f"{address}: {result['errorText']}")
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def value(self, expression):
        """Returns the value of an expression in the page."""
        result = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise BrowserError(f"{expression}: {result['exceptionDetails']['exception'].get('description')}")
        return result["result"].get("value")

    def wait(self, condition, seconds=20):
        """Waits until a condition is true in the page."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                if self.value(f"!!({condition})"):
                    return
            except BrowserError:
                pass  # There is no result between two pages.
            if time.monotonic() > deadline:
                raise BrowserError(f"{self.value('location.href')}: {condition} does not become true.")
            time.sleep(0.02)

    def close(self):
        """Closes the window, and deletes its cookies."""
        self.browser.send("Target.disposeBrowserContext", browserContextId=self.context)

    def fill(self, selector, text):
        """Replaces a field's text with typed text."""
        self.value(f"(field => {{ field.focus(); field.select() }})(document.querySelector({json.dumps(selector)}))")
        if text:
            self.send("Input.insertText", text=text)
        else:
            self.value("document.execCommand('delete')")

    def follow(self, selector):
        """Clicks a link, and waits for its page."""
        self.value("window.isLeft = true")
        found = self.value(f"(e => e && (e.click(), true))(document.querySelector({json.dumps(selector)}))")
        if not found:
            raise BrowserError(f"There is no {selector}.")
        self.wait("!window.isLeft && document.readyState === 'complete'")

    def press(self, key, waits=False):
        """Presses a key; with waits, waits until another page is loaded."""
        if waits:
            self.value("window.isLeft = true")
        code = {"Enter": ("\r", 13), "Tab": ("", 9)}.get(key, (key, 0))
        for kind in ["keyDown", "keyUp"]:
            self.send("Input.dispatchKeyEvent", type=kind, key=key, text=code[0] if kind == "keyDown" else "",
                      windowsVirtualKeyCode=code[1])
        if waits:
            self.wait("!window.isLeft && document.readyState === 'complete'")

    def type(self, selector, text):
        """Moves the cursor to the end of a field's text, and types."""
        self.value(f"(field => {{ field.focus(); field.setSelectionRange(field.value.length, field.value.length) }})"
                   f"(document.querySelector({json.dumps(selector)}))")
        self.send("Input.insertText", text=text)

    def screenshot(self, path):
        data = self.send("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def complaints(self):
        """Returns the console errors since the last call: script errors and blocked loads."""
        self.value("1")
        kept, told = [], []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                kept.append(event)
            elif event["method"] == "Runtime.exceptionThrown":
                told.append(event["params"]["exceptionDetails"]["text"])
            elif event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
                told.append(event["params"]["entry"]["text"])
        self.browser.events = kept
        return told
