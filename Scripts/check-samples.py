"""Compiles the Swift samples in the pages, and runs the executable ones.

    python3 Scripts/check-samples.py --marks     every sample has a mark, and each mark means something; builds nothing
    python3 Scripts/check-samples.py [PAGE …]    compiles and runs the samples, of some pages only

A comment above each block of Swift says what it is:

    <!-- sample: declarations -->                     declarations of the page's module
    <!-- sample: fragment -->                         statements, which are run in the order of the page
    <!-- sample: fragment, continued -->              further statements of the fragment before
    <!-- sample: fragment, not run because REASON --> statements that are only compiled
    <!-- sample: fragment, prints -->                 the next block is what the statements print
    <!-- sample: fragment, checked by NAME -->        a function beside the samples looks at what the statements did
    <!-- sample: not compiled because REASON -->      another language, another package, another system

"declarations of NAME" and "fragment of NAME" belong to another module of the page. Fragments run on the main actor, in
a function that may throw and wait. Tests/Samples/PAGE.swift has the page's imports and the names that its samples
use; Tests/Samples/PAGE-NAME.swift those of another module. The package that is built is made in .build/samples.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MARK = re.compile(
    r"^<!-- sample: (?P<kind>declarations|fragment|not compiled)(?: of (?P<module>\w+))?"
    r"(?P<continued>, continued)?(?P<prints>, prints)?(?:, checked by (?P<check>\w+))?"
    r"(?:,? (?P<unrun>not run )?because (?P<reason>\S.*))? -->$"
)
SETUPS = Path("Tests/Samples")
PACKAGE = Path(".build/samples")
PRODUCTS = (
    "CoreData", "SwiftData", "OpenPersistenceKit", "OpenTestSupport", "OpenStoreContract",
    "OpenPostgresStore",
)
failures = []


def pages():
    """Returns the pages by module name; the names of articles begin with the target's name."""
    files = {file.stem: file for file in [Path("README.md"), *sorted(Path("Docs").glob("**/*.md"))]}
    for file in sorted(Path("Sources").glob("**/*.docc/**/*.md")):
        files[f"{file.parts[1]}{file.stem}"] = file
    return files


class Block:
    """A fenced block: its mark, its language, its lines, and the number of the first line."""

    def __init__(self, page, mark, language, line):
        self.page, self.mark, self.language, self.line, self.lines = page, mark, language, line, []
        self.output = None

    @property
    def place(self):
        return f"{self.page}:{self.line}"

    @property
    def text(self):
        return f'#sourceLocation(file: "{self.page}", line: {self.line + 1})\n' + "\n".join(self.lines) + "\n#sourceLocation()\n"


def blocks(page):
    """Returns all fenced blocks of a page, in order; the mark is the last nonempty line before the block."""
    found, current, mark, indent = [], None, None, ""
    for number, line in enumerate(page.read_text().split("\n"), 1):
        fence = re.match(r"^(\s*)```(\w*)", line)
        if current is None and fence:
            current, indent = Block(page, mark, fence[2], number), fence[1]
        elif current is not None and fence:
            found.append(current)
            current, mark = None, None
        elif current is not None:
            current.lines.append(line.removeprefix(indent))
        elif line.strip():
            mark = line.strip()
    return found


def samples(page):
    """Returns the marked Swift blocks of a page to compile; an invalid mark is a failure."""
    result, earlier = [], None
    for block in blocks(page):
        if earlier is not None and earlier.output is None and block.language in ("", "text"):
            earlier.output = "\n".join(block.lines)
        earlier = None
        if str(page) == "Docs/FirstHour.md" and (block.mark or "").startswith("<!-- file: "):
            continue  # Scripts/first-hour.py creates and builds it.
        mark = MARK.match(block.mark or "")
        if mark and block.language != "swift":
            failures.append(f"{block.place}: the mark is above a block that is not Swift")
        if block.language != "swift":
            continue
        if mark is None:
            failures.append(f"{block.place}: no mark says how this sample is checked; see Scripts/check-samples.py")
            continue
        refused = mark["kind"] == "not compiled"
        if bool(mark["reason"]) != (refused or bool(mark["unrun"])) or (mark["unrun"] and mark["kind"] != "fragment"):
            failures.append(f"{block.place}: a sample that is not compiled or not run needs its reason, and no other has one")
        if "…" in re.sub(r"//.*", "", "\n".join(block.lines)) and not refused:
            failures.append(f"{block.place}: … replaces code that does not exist")
        if refused:
            continue
        block.details = mark
        result.append(block)
        if mark["prints"]:
            earlier = block
    for block in result:
        if block.details["prints"] and block.output is None:
            failures.append(f"{block.place}: no block shows what the sample prints")
    return result


def modules(page_names):
    """Returns the samples by module: the page's name, followed by the name of the module in the page."""
    result = {}
    for name, page in pages().items():
        if page_names and name not in page_names and str(page) not in page_names:
            continue
        for block in samples(page):
            module = "-".join(filter(None, (name, block.details["module"])))
            result.setdefault(module, []).append(block)
    return result


def write(path, text):
    """Writes a file only if its contents differ, so that an unchanged file is not compiled again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def generate(module, sources):
    """Writes the sources of a module. Returns whether the module is executable."""
    folder = PACKAGE / "Sources" / target(module)
    setup = SETUPS / f"{module}.swift"
    text = setup.read_text() if setup.exists() else "import CoreData\nimport Foundation\n"
    imports = "\n".join(dict.fromkeys(re.findall(r"^(?:@\w+ )?import .*$", text, re.M))) + "\n"
    write(folder / "Setup.swift", f'#sourceLocation(file: "{setup}", line: 1)\n{text}')
    declarations = [block.text for block in sources if block.details["kind"] == "declarations"]
    write(folder / "Declarations.swift", imports + "\n".join(declarations))
    functions, calls = [], []
    for block in (block for block in sources if block.details["kind"] == "fragment"):
        if block.details["continued"] and functions:
            functions[-1].append(block)
        else:
            functions.append([block])
    bodies = []
    for number, parts in enumerate(functions, 1):
        lines = "\n".join(part.text for part in parts)
        own = re.findall(r"^import .*$", lines, re.M)
        lines = re.sub(r"^import .*$", "", lines, flags=re.M)
        bodies.append("\n".join(own) + f"\n@MainActor func fragment{number}() async throws {{\n{lines}}}\n")
        if parts[0].details["unrun"]:
            continue
        calls.append(f'print("=== {parts[0].place}")\ntry await fragment{number}()')
        calls += [f"try await {part.details['check']}()" for part in parts if part.details["check"]]
    write(folder / "Fragments.swift", imports + "\n".join(bodies))
    main = folder / "Main.swift"
    if calls:
        body = "\n".join("    " + line for call in calls for line in call.split("\n"))
        write(main, f"{imports}@main struct Samples {{\n  @MainActor static func main() async throws {{\n{body}\n  }}\n}}\n")
    else:
        main.unlink(missing_ok=True)
    return bool(calls)


def target(module):
    return "Sample" + module.replace("-", "")


def manifest(runnable):
    """Returns the manifest of the package, with a target for each module."""
    dependencies = ", ".join(f'.product(name: "{product}", package: "OpenCoreData")' for product in PRODUCTS)
    lines = ["// swift-tools-version: 6.2", "import PackageDescription", "", "let package = Package(", '  name: "Samples",']
    lines += ['  dependencies: [.package(name: "OpenCoreData", path: "../..")],', "  targets: ["]
    lines += [f'    .target(name: "SampleSupport", dependencies: [{dependencies}]),']
    for module, runs in runnable.items():
        kind, strip = ("executableTarget", ', linkerSettings: [.unsafeFlags(["-Xlinker", "-s"])]') if runs else ("target", "")
        lines += [f'    .{kind}(name: "{target(module)}", dependencies: ["SampleSupport", {dependencies}]{strip}),']
    return "\n".join(lines + ["  ])", ""])


def run(module, sources, folder):
    """Runs the fragments of a module in an empty folder, and compares their output."""
    with tempfile.TemporaryDirectory() as place:
        own = {name: place for name in ("TMPDIR", "HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
        result = subprocess.run(
            [str(folder.resolve() / target(module))], capture_output=True, text=True, timeout=120, cwd=place, env={**os.environ, **own}
        )
    printed = dict(re.findall(r"^=== (\S+)\n(.*?)(?=^=== |\Z)", result.stdout, re.M | re.S))
    if result.returncode != 0:
        failures.append(f"{module}: the samples end with status {result.returncode}\n{result.stdout}{result.stderr}")
    for block in sources:
        if block.details["prints"] and not block.details["unrun"]:
            actual = printed.get(block.place, "").strip()
            if actual != block.output.strip():
                failures.append(f"{block.place}: the sample prints\n{actual}\nand not\n{block.output}")


def check(page_names):
    """Builds the package of all samples and runs it."""
    found = modules(page_names)
    if failures:
        return
    for file in (SETUPS / "Support").glob("*.swift"):
        write(PACKAGE / "Sources/SampleSupport" / file.name, file.read_text())
    runnable = {module: generate(module, sources) for module, sources in found.items()}
    write(PACKAGE / "Package.swift", manifest(runnable))
    command = ["swift", "build", "--package-path", str(PACKAGE), "--scratch-path", ".build"]
    build = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if build.returncode != 0:
        errors = dict.fromkeys(line for line in build.stdout.split("\n") if re.match(r"\S.*error:", line))
        failures.append("\n".join(errors) or build.stdout[-4000:])
        return
    folder = Path(subprocess.check_output([*command, "--show-bin-path"], text=True).strip())
    for module, runs in runnable.items():
        if runs:
            run(module, found[module], folder)
    count = sum(len(sources) for sources in found.values())
    if not failures:
        print(f"All {count} samples compile; those of {sum(runnable.values())} modules have run.")


if sys.argv[1:] == ["--marks"]:
    modules([])
    for setup in SETUPS.glob("*.swift"):
        if setup.stem not in modules([]):
            failures.append(f"{setup}: there is no such page")
else:
    check(sys.argv[1:])
for failure in dict.fromkeys(failures):
    print(failure)
sys.exit(1 if failures else 0)
