# Compares Apple's symbols with those of the modules, and prints the page.
#
# First input: `symbol PATH KIND` and `superclass CLASS SUPERCLASS`, separated by tabs. Second input, Docs/AppleSymbols.txt:
# headings, paragraphs of text behind `|`, and `PRIORITY SYMBOL NOTE`.

function name(path) { sub(/^[^.(]*\./, "", path); return path }

# Whether a type, or a class that it inherits from, has a member; or whether a symbol of its own is there.
function isThere(path, type, member) {
  if (path in symbols) return 1
  if (path !~ /^[^.(]*\./) return 0
  type = path
  sub(/\..*/, "", type)
  member = name(path)
  for (type = superclass[type]; type != ""; type = superclass[type])
    if ((type "." member) in symbols) return 1
  return 0
}

function complain(text) {
  print "Docs/AppleSymbols.txt:" FNR ": " text >"/dev/stderr"
  status = 1
}

# What the page says of a symbol.
function state(path, note, there) {
  there = isThere(path)
  if (note ~ /^absent: /) {
    if (there) complain(path " is there, but is said to be absent.")
    return "not there: " substr(note, 9)
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
  if ($1 == "superclass" && $3 != "") superclass[$2] = $3
  next
}

/^#/ { flush(); print "\n" $0; heading = $0; sub(/^#+ /, "", heading); next }
/^\|/ { flush(); print ($0 == "|" ? "" : substr($0, 3)); next }
/^$/ { next }

{
  text = state($2, $3)
  count[text ~ /^not there/ ? "absent" : text ~ /^done/ ? "done" : "differs", $1]++
  type = $2
  if (sub(/\..*/, "", type) == 0 || type == heading) type = ""
  key = type "\t" text
  shown = "`" (type != "" || index($2, heading ".") == 1 ? name($2) : $2) "`"
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
  print "\n## Numbers\n\n| Priority | Done | Differs or part | Not there |\n|---|--:|--:|--:|"
  for (p = 0; p <= 2; p++)
    printf "| P%d | %d | %d | %d |\n", p, count["done", "P" p], count["differs", "P" p], count["absent", "P" p]
  exit status
}
