# Compares Apple's symbols with those of the modules, and prints the page.
#
# First input: `symbol PATH KIND` and `parent TYPE PARENT`, separated by tabs; a parent is a superclass, or a protocol that
# the type conforms to. Second input, Docs/AppleSymbols.txt: headings, those of the first level for frameworks; paragraphs of
# text behind `|`; and `PRIORITY SYMBOL NOTE`.

# The path without its arguments, which may contain dots.
function plain(path) { sub(/\(.*/, "", path); return path }

# The type that contains a path's symbol; empty for a top-level symbol.
function owner(path) {
  path = plain(path)
  if (index(path, ".") == 0) return ""
  sub(/\.[^.]*$/, "", path)
  return path
}

# Whether a type, or a type from which it inherits, has a member.
function has(type, member, list, count, i) {
  if ((type "." member) in symbols) return 1
  count = split(parents[type], list, "\t")
  for (i = 1; i <= count; i++) if (list[i] != type && has(list[i], member)) return 1
  return 0
}

function isThere(path, type) {
  if (path in symbols) return 1
  type = owner(path)
  return type != "" && has(type, substr(path, length(type) + 2))
}

function complain(text) {
  print "Docs/AppleSymbols.txt:" FNR ": " text >"/dev/stderr"
  status = 1
}

# The page's text about a symbol.
function state(path, note, there) {
  there = isThere(path)
  if (note ~ /^absent: /) {
    if (there) complain(path " is there, but is said to be absent.")
    return "not available: " substr(note, 9)
  }
  if (note ~ /^elsewhere: /) return "done: " substr(note, 12)
  if (!there) complain(path " is missing, and nothing says why.")
  return note == "" ? "done" : note
}

function flush(i) {
  if (rows == 0) return
  print "\n| Symbol | State |\n|---|---|"
  for (i = 1; i <= rows; i++) print "| " cells[i] " | " states[i] " |"
  rows = 0
  split("", places)
}

FNR == NR {
  if ($1 == "symbol") symbols[$2] = 1
  if ($1 == "parent" && $3 != "") parents[$2] = parents[$2] (parents[$2] == "" ? "" : "\t") $3
  next
}

/^# / { framework = substr($0, 3) }
/^#/ { flush(); print "\n" $0; heading = $0; sub(/^#+ /, "", heading); next }
/^\|/ { flush(); print ($0 == "|" ? "" : substr($0, 3)); next }
/^$/ { next }

{
  if (frameworks[frameworkCount] != framework) frameworks[++frameworkCount] = framework
  text = state($2, $3)
  count[framework, text ~ /^not available/ ? "absent" : text ~ /^done/ ? "done" : "differs", $1]++
  type = plain($2)
  if (sub(/\..*/, "", type) == 0) type = ""
  shown = $2
  if (index($2, heading ".") == 1) {
    type = ""
    shown = substr($2, length(heading) + 2)
  } else if (type != "") {
    shown = substr($2, length(type) + 2)
  }
  key = type "\t" text
  shown = "`" shown "`"
  if (key in places) {
    cells[places[key]] = cells[places[key]] ", " shown
  } else {
    places[key] = ++rows
    cells[rows] = (type == "" ? "" : "`" type "`: ") shown
    states[rows] = text
  }
}

END {
  flush()
  print "\n# Numbers\n\n| Framework | Priority | Done | Differs or part | Not available |\n|---|---|--:|--:|--:|"
  for (i = 1; i <= frameworkCount; i++)
    for (p = 0; p <= 2; p++)
      printf "| %s | P%d | %d | %d | %d |\n", frameworks[i], p, count[frameworks[i], "done", "P" p],
        count[frameworks[i], "differs", "P" p], count[frameworks[i], "absent", "P" p]
  exit status
}
