"""Creates the packages of Docs/FirstHour.md, and runs its commands.

    python3 Scripts/first-hour.py            builds with the modules of this repository's debug build
    python3 Scripts/first-hour.py FOLDER     makes everything below FOLDER, which has a copy of the repository as OpenCoreData, and
                                             builds from nothing

A comment above a block says what it is: "file: PATH" is a file, "run in FOLDER" has commands behind dollar signs. Every other
line of such a block has to be in the output of the command before it, in this order.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

root = Path.cwd()
fresh = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
work = fresh or root / ".build/first-hour"
data = work / "data"
page = (root / "Docs/FirstHour.md").read_text()
failures = []


def write(path, text):
    """Writes a file only if its contents differ, so that an unchanged file is not compiled again."""
    if fresh is None:
        text = text.replace('path: "../OpenCoreData"', f'path: "{root}"')
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def run(folder, command, expected):
    """Runs a command, and searches its output for the expected lines."""
    line = command.replace("~/.local/share", str(data))
    scratch = work / "scratch" if fresh else root / ".build"
    line = re.sub(r"^swift (build|run|test)", rf"swift \1 --scratch-path {scratch}", line)
    line = line.replace("../OpenCoreData", str(work / "OpenCoreData" if fresh else root))
    begun = time.monotonic()
    result = subprocess.run(
        ["bash", "-c", line], cwd=work / folder, text=True, capture_output=True, env={**os.environ, "XDG_DATA_HOME": str(data)}
    )
    if fresh:
        print(f"{folder}$ {command}\n{result.stdout}{result.stderr}  ({time.monotonic() - begun:.0f} s)", flush=True)
    output = iter(result.stdout.split("\n") + result.stderr.split("\n"))
    missing = [text for text in expected if not any(text in found for found in output)]
    if result.returncode != 0 or missing:
        failures.append(
            f"Docs/FirstHour.md: in {folder}: {command}\nstatus {result.returncode}, missing {missing}\n"
            + f"{result.stdout[-3000:]}{result.stderr[-3000:]}"
        )
    return result.returncode == 0 and not missing


shutil.rmtree(data, ignore_errors=True)
for path, text in re.findall(r"<!-- file: (\S+) -->\n```\w*\n(.*?)\n```", page, re.S):
    write(work / path, text + "\n")
for folder, text in re.findall(r"<!-- run in (\S+) -->\n```console\n(.*?)\n```", page, re.S):
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        command, *expected = part.strip("\n").split("\n")
        if not run(folder, command, expected):
            break
for failure in failures:
    print(failure)
if failures:
    sys.exit(1)
print("The programs of Docs/FirstHour.md do what the page says.")
