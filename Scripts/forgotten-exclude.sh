#!/usr/bin/env bash
# A target that compiles its sources for Apple systems as they are has to be refused with one message that says what to do.
# Arguments are passed to swift build.
set -euo pipefail
cd "$(dirname "$0")/.."

expected='Add exclude: ["AppleSources"] to the target in Package.swift.'
if output=$(OPENCOREDATA_FORGET_EXCLUDE=1 swift build --package-path Tests/AppleSources --scratch-path .build --target LibraryModel "$@" 2>&1); then
  echo "A target without exclude was built."
  exit 1
fi
if ! grep -qF "$expected" <<<"$output"; then
  echo "The message of a forgotten exclude is missing:"
  echo "$output"
  exit 1
fi
echo "A forgotten exclude is explained."
