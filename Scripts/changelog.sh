#!/usr/bin/env bash
# Assembles CHANGELOG.md from the files in changelog.d, one for each subject.
#
#   Scripts/changelog.sh           writes the page
#   Scripts/changelog.sh --check   fails if the page is out of date
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

page=CHANGELOG.md
version=$(sed -nE 's/.*package static let text = "([0-9.]+)".*/\1/p' Sources/OpenStoreTool/ToolVersion.swift)

assemble() {
  cat <<END
# Changelog

Versions follow semantic versioning. Before 1.0.0, a minor version may change the public API, and this page lists the changes. A patch does not change it.

- **Public API** is what the products' modules declare as \`public\`, except names that begin with two underscores, which only
  generated code uses. Apple's names and meanings change only where a deviation is removed.
- **Files**: Every version opens the stores of all earlier versions, and writes stores that Apple's frameworks open.
- **Tools**: Options, exit statuses and JSON output are part of the API; other output is not.
- **Not covered**: targets without a product, \`package\` declarations, log texts, SQL statements, and measurements.

## $version
END
  for file in changelog.d/*.md; do
    echo
    sed -E 's/^(#+) /##\1 /' "$file"
  done
}

if [ "${1:-}" = --check ]; then
  if ! diff -u "$page" <(assemble) >/dev/null; then
    echo "$page does not have all of changelog.d. Run Scripts/changelog.sh."
    exit 1
  fi
else
  assemble >"$page"
fi
