"""Checks the pages in Docs and in the root folder for Scripts/check-docs.sh."""

import re
import subprocess
import sys
from pathlib import Path

pages = sorted(Path("Docs").glob("**/*.md")) + [
    Path(name) for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
]
failures = []


def anchor(heading):
    """Returns the fragment of a heading, as in a repository's web pages."""
    text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", lambda match: match.group(1) or "", heading)
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def check_links():
    anchors = {}
    for page in pages:
        text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
        anchors[page.resolve()] = {anchor(match) for match in re.findall(r"^#+ (.*)$", text, re.M)}
    for page in pages:
        text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, fragment = target.partition("#")
            file = (page.parent / path).resolve() if path else page.resolve()
            if not file.exists():
                failures.append(f"{page}: there is no {target}")
            elif fragment and file in anchors and fragment not in anchors[file]:
                failures.append(f"{page}: {path or page.name} has no heading #{fragment}")


def check_mentions():
    """Checks that each page that an article or a source mentions by path exists."""
    for folder in ("Sources", "Plugins", "Scripts", "Tests", "Examples", "Benchmarks"):
        for file in Path(folder).rglob("*"):
            if file.suffix not in (".swift", ".md", ".sh", ".py", ".c", ".h") or ".build" in file.parts:
                continue
            for name in re.findall(r"\bDocs/(?:\w+/)*\w+\.md\b", file.read_text()):
                if not Path(name).exists():
                    failures.append(f"{file}: there is no {name}")


def test_sources():
    folders = [Path("Tests"), Path("Examples/Tests"), Path("Scripts/browser")]
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in (".swift", ".py")]
    return {str(file): file.read_text() for file in files}


def check_deviations():
    """Checks that each test that a deviation names exists: a file, a folder, a type or a function, and the titles after it."""
    sources = test_sources()
    text = Path("Docs/Deviations.md").read_text()
    for entry in re.split(r"\n(?=\*\*D-\d+)", text)[1:]:
        number, place = entry[2:7], list(sources.values())
        for citations in re.findall(r"Tests?: (.*?)(?=\.\n|\.$|\. )", entry, re.S):
            for citation in re.findall(r"`([^`]+)`", citations):
                name, _, title = " ".join(citation.split()).partition('"')
                name, title = name.strip(": /"), title.rstrip('"')
                if re.search(r"\w", name):
                    place = contents(sources, name)
                    if not place:
                        failures.append(f"Docs/Deviations.md: {number} names no test: {citation}")
                        continue
                if title and not any(title in content for content in place):
                    failures.append(f"Docs/Deviations.md: {number}: no test is titled {title}")


def contents(sources, name):
    """Returns the sources that a name identifies."""
    last = re.escape(name.split("/")[-1])
    declaration = re.compile(rf"\b(struct|class|enum|extension|func) {last}\b")
    found = [text for file, text in sources.items() if name in file or declaration.search(text)]
    return found or ([""] if Path(name).exists() else [])


def check_errors():
    """Checks that each code that the library throws is explained."""
    text = Path("Docs/Errors.md").read_text()
    ranges = [(int(low), int(high)) for low, high in re.findall(r"\b(\d{4,6}) to (\d{4,6})\b", text)]
    swift = "\n".join(file.read_text() for file in Path("Sources/OpenObjectGraph/Errors").glob("*.swift"))
    for number in sorted(set(re.findall(r"\b(1[0-9]{3}|13[34][0-9]{3})\b", swift))):
        if number not in text and not any(low <= int(number) <= high for low, high in ranges):
            failures.append(f"Docs/Errors.md does not explain {number}")
    for file in Path("Sources").rglob("*.swift"):
        source = file.read_text()
        for name, body in re.findall(r"public struct (\w+Error): .*?\n(.*?)\n  }\n", source, re.S):
            for code in re.findall(r"public static let (\w+) = Code\(", body):
                if not re.search(rf"\b{code}\b", text):
                    failures.append(f"Docs/Errors.md does not explain {name}.{code}")


check_links()
check_mentions()
check_deviations()
check_errors()
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
