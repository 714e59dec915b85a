# Shared parts of the demonstrations, which source this file with their own arguments.
#
#   ends    set if a run exits by itself: with --once, and outside a terminal
#   tools   the folder of the programs, after build_examples has built them
cd "$(dirname "${BASH_SOURCE[0]}")/.."

ends=
if [ "${1:-}" = --once ] || [ ! -t 1 ]; then ends=yes; fi

title() { printf '\n== %s\n' "$*"; }

# Builds products of the examples.
build_examples() {
  local product
  title "Building the examples; the first time takes about four minutes on two cores"
  for product in "$@"; do swift build --package-path Examples --scratch-path .build --product "$product"; done
  tools=$(swift build --package-path Examples --scratch-path .build --show-bin-path)
  tools=${tools#"$PWD/"}
}
