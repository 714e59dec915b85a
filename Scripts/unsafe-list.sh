#!/usr/bin/env bash
# Compares Docs/Unsafe.txt with the declarations in Sources whose safety the compiler does not check.
#
#   Scripts/unsafe-list.sh           reports differences and missing reasons; status 1 if there are any
#   Scripts/unsafe-list.sh --write   rewrites the list; known reasons stay, new lines need a reason
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

list=Docs/Unsafe.txt
separator=' — '
unknown='REASON MISSING'

# Prints one line for each occurrence, "path: declaration", sorted and without comment lines.
declarations() {
  grep -rE --include='*.swift' \
    '@unchecked Sendable|nonisolated\(unsafe\)|unowned\(unsafe\)|unsafeBitCast|@preconcurrency|takeUnretainedValue|_withUnsafeGuaranteedRef' Sources \
    | sed -E 's/^([^:]+):[[:space:]]*/\1: /; s/[[:space:]]+/ /g; s/ = \{( \[self\] in)?$//; s/ ?\{$//' \
    | grep -vE '^[^:]+: //' \
    | sort
}

# Prints the lines of the list without the reasons.
listed() { sed "s/$separator.*//" "$list" | sort; }

if [ "${1:-}" = --write ]; then
  touch "$list"
  declarations | awk -v list="$list" -v separator="$separator" -v unknown="$unknown" '
    BEGIN {
      while ((getline line < list) > 0) {
        position = index(line, separator)
        if (position == 0) continue
        key = substr(line, 1, position - 1)
        reasons[key, ++known[key]] = substr(line, position + length(separator))
      }
    }
    {
      place = ++seen[$0]
      reason = (($0, place) in reasons) ? reasons[$0, place] : unknown
      print $0 separator reason
    }' >"$list.new"
  mv "$list.new" "$list"
fi

status=0
if ! difference=$(diff <(listed) <(declarations)); then
  echo "$list differs from Sources (< listed, > in Sources); run Scripts/unsafe-list.sh --write:"
  echo "$difference"
  status=1
fi
if grep -n "$unknown" "$list" || grep -nv "$separator." "$list"; then
  echo "$list: the lines above need their reason."
  status=1
fi
exit $status
