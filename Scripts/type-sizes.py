#!/usr/bin/env python3
"""Checks how many lines of code each type has in all files of its module together.

    Scripts/type-sizes.py            fails for a type that is too long, and for a ceiling that is too high
    Scripts/type-sizes.py --list     prints the types, longest first: own lines, lines with nested types, name
    Scripts/type-sizes.py --lower    lowers the recorded ceilings to the present sizes; it never raises one

The size of a type is the number of lines in its body and its extensions that are neither blank nor comments. A nested
type counts for itself, not for the type around it. All branches of an #if count.
"""

import re
import sys
from collections import Counter
from pathlib import Path

LIMIT = 600  # for types without a recorded ceiling
SLACK = 40  # how far a ceiling may be above the size
CEILINGS = Path("Scripts/type-sizes.txt")

KINDS = {"class", "struct", "enum", "actor", "protocol", "extension"}
# Words after "class" or "actor" that show that no declaration of a type follows.
OTHER_WORDS = set("func var let subscript init override final private fileprivate internal public package open static "
                  "else in where is as nonisolated".split())
TOKEN = re.compile(r"""
    (?P<blank>[ \t\r]+) | (?P<newline>\n) | (?P<comment>//[^\n]*) | (?P<block>/\*) | (?P<string>\#*(?:"{3}(?=[ \t]*\n)|"))
  | (?P<condition>\#(?:if|elseif|else|endif)\b) | (?P<regex>\#+/(?:\\.|[^\\\n])*?/\#+)
  | (?P<word>`?[A-Za-z_]\w*`?) | (?P<other>.)
""", re.X)
BARE_REGEX = re.compile(r"/(?![ */])(?:\\.|[^/\\\n])+/")
NAME = re.compile(r"\s+(`?[A-Za-z_]\w*`?(?:\s*\.\s*`?[A-Za-z_]\w*`?)*)")
COMMENT_EDGE = re.compile(r"/\*|\*/|\n")


class FileReader:
    """Reads one file, and attributes each line of code to the innermost type on the line."""

    def __init__(self, text):
        self.text, self.position, self.line = text, 0, 1
        self.scopes = []  # for each open brace, the path of the type that it opened, or None
        self.pending = None  # the path of a type whose brace is still to come
        self.conditions = []  # for each open #if, the scopes before it
        self.owners = {}  # line -> (depth, path)
        self.private = set()  # the types of the file that other files cannot see

    def read(self):
        self.read_code(in_interpolation=False)
        if self.scopes:
            raise ValueError("the braces do not match")
        return self

    @property
    def path(self):
        if self.pending:
            return self.pending
        return next((scope for scope in reversed(self.scopes) if scope), ())

    def mark(self):
        depth = sum(1 for scope in self.scopes if scope) + (self.pending is not None)
        if depth >= self.owners.get(self.line, (0, ()))[0]:
            self.owners[self.line] = (depth, self.path)

    def read_code(self, in_interpolation):
        parentheses, last = 0, "\n"
        while self.position < len(self.text):
            match = TOKEN.match(self.text, self.position)
            kind, token = match.lastgroup, match.group()
            if kind == "other" and token == "/" and last in "=(,[:{\n":
                literal = BARE_REGEX.match(self.text, self.position)
                if literal:
                    match, kind, token = literal, "regex", literal.group()
            self.position = match.end()
            if kind == "newline":
                self.line += 1
            elif kind == "block":
                self.skip_comment()
            if kind in ("blank", "newline", "comment", "block"):
                continue
            self.mark()
            if kind == "string":
                self.read_string(token)
            elif kind == "condition":
                self.take_condition(token)
            elif kind == "word" and token in KINDS and last != ".":
                self.take_declaration(token, match.start())
            elif token == "{":
                self.scopes.append(self.pending)
                self.pending = None
            elif token == "}":
                self.scopes.pop()
            elif token == "(":
                parentheses += 1
            elif token == ")":
                if in_interpolation and parentheses == 0:
                    return
                parentheses -= 1
            last = token[-1]

    def take_declaration(self, kind, start):
        match = NAME.match(self.text, self.position)
        if not match:
            return
        name = tuple(re.sub(r"[\s`]", "", match.group(1)).split("."))
        if name[0] in OTHER_WORDS:
            return
        around = self.path if kind != "extension" else ()
        prefix = self.text[self.text.rfind("\n", 0, start) + 1:start]
        if not around and re.search(r"\b(file)?private\b", prefix):
            self.private.add(name[0])
        self.position = match.end()
        self.line += match.group().count("\n")
        self.pending = around + name
        self.mark()

    def take_condition(self, token):
        if token == "#if":
            self.conditions.append(list(self.scopes))
        elif token == "#endif":
            self.conditions.pop()
        else:
            self.scopes = list(self.conditions[-1])

    def skip_comment(self):
        depth = 1
        while depth:
            match = COMMENT_EDGE.search(self.text, self.position)
            self.position = match.end()
            if match.group() == "\n":
                self.line += 1
            else:
                depth += 1 if match.group() == "/*" else -1

    def read_string(self, opening):
        hashes = opening.count("#")
        escape, end = "\\" + "#" * hashes, opening[hashes:] + "#" * hashes
        while True:
            if self.text.startswith(end, self.position):
                self.position += len(end)
                self.mark()
                return
            if self.text.startswith(escape + "(", self.position):
                self.position += len(escape) + 1
                self.read_code(in_interpolation=True)
                continue
            if self.text.startswith(escape, self.position):
                self.position += len(escape)
            character = self.text[self.position]
            self.position += 1
            if character == "\n":
                self.line += 1
            elif not character.isspace():
                self.mark()


def sizes():
    """The lines of code by module and path of a type."""
    counts = Counter()
    for module in sorted(path for path in Path("Sources").iterdir() if path.is_dir()):
        for file in sorted(module.rglob("*.swift")):
            try:
                reader = FileReader(file.read_text()).read()
            except (ValueError, IndexError, AttributeError) as error:
                sys.exit(f"{file} cannot be read: {error}")
            for _, path in reader.owners.values():
                if not path:
                    continue
                name = ".".join(path)
                if path[0] in reader.private:
                    name += f"({file.stem})"
                counts[module.name, name] += 1
    return counts


def ceilings():
    lines = [line.split("#")[0].split() for line in CEILINGS.read_text().splitlines()]
    return {(module, name): int(ceiling) for module, name, ceiling in filter(None, lines)}


def show(counts):
    for (module, name), own in sorted(counts.items(), key=lambda item: -item[1]):
        whole = own + sum(
            size for (other, inner), size in counts.items() if other == module and inner.startswith(name + "."))
        print(f"{own:5} {whole:5}  {module} {name}")


def lower(counts):
    def lowered(line):
        words = line.split("#")[0].split()
        if not words:
            return [line]
        size = counts[words[0], words[1]]
        return [f"{words[0]} {words[1]} {min(int(words[2]), size)}"] if size > LIMIT else []

    lines = [new for line in CEILINGS.read_text().splitlines() for new in lowered(line)]
    CEILINGS.write_text("\n".join(lines) + "\n")


def check(counts):
    failures, recorded = [], ceilings()
    for key, size in sorted(counts.items()):
        ceiling = recorded.get(key, LIMIT)
        if size > ceiling:
            failures.append(f"{key[0]}: {key[1]} has {size} lines of code; more than {ceiling} are too many. Move state "
                            "and the functions that use it to another type.")
    for key, ceiling in sorted(recorded.items()):
        if ceiling - counts[key] > SLACK:
            failures.append(f"{key[0]}: {key[1]} has {counts[key]} lines of code; lower its ceiling of {ceiling} with "
                            "Scripts/type-sizes.py --lower.")
    print("\n".join(failures), end="\n" if failures else "")
    return 1 if failures else 0


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments == ["--list"]:
        show(sizes())
    elif arguments == ["--lower"]:
        lower(sizes())
    elif arguments:
        sys.exit(__doc__)
    else:
        sys.exit(check(sizes()))
