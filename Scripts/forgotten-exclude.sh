#!/usr/bin/env bash
# Checks that the plug-in rejects a target that does not exclude its sources for Apple systems, with one message that states the fix.
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
