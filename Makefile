# One command for each task. The packages that use the library share its build, in which its modules are compiled once.
#
#   SWIFT_FLAGS   further options for swift build and swift test

SWIFT_FLAGS ?=
SOURCES = Sources Tests Examples/Sources Examples/Tests Benchmarks/Sources \
  Plugins Package.swift Examples/Package.swift Benchmarks/Package.swift
# The encoders with which the tests and a demonstration create audio files.
ENCODERS = flac lame vorbis-tools:oggenc opus-tools:opusenc ffmpeg
QUICK_TESTS = OpenPredicatesTests|OpenObjectModelTests|OpenSQLCoreTests|CoreDataTests

.PHONY: all build test test-browser quick parity compile-matrix samples docs docs-preview fuzz fuzz-files fuzz-predicates fuzz-briefly demo demo-kanora demo-stories bench bench-postgres bench-check thread-sanitizer format check clean packages

all: build

packages:
	@Scripts/install-packages.sh

build: packages
	swift build $(SWIFT_FLAGS)

# All tests of the library, of sources written for Apple systems, and of the example applications, and a brief fuzzing. Tests that wait for
# other programs hold threads that the servers of other tests need, so they run in other processes.
test: packages
	@echo "The first run builds everything and takes about 35 minutes on two cores; later runs build only what has changed."
	@Scripts/install-packages.sh $(ENCODERS) postgresql:pg_ctl pgbouncer
	swift test $(SWIFT_FLAGS)
	Scripts/parity.sh --check
	Scripts/compile-matrix.sh $(SWIFT_FLAGS)
	swift test --package-path Tests/AppleSources --scratch-path .build $(SWIFT_FLAGS)
	Scripts/forgotten-exclude.sh $(SWIFT_FLAGS)
	Scripts/static-linking.sh $(SWIFT_FLAGS)
	python3 Scripts/check-samples.py
	python3 Scripts/first-hour.py
	Scripts/docs.sh $(SWIFT_FLAGS)
	swift test --package-path Examples --scratch-path .build $(SWIFT_FLAGS) --skip ProcessTests
	swift test --package-path Examples --scratch-path .build $(SWIFT_FLAGS) --filter ProcessTests --skip MusicService
	swift test --package-path Examples --scratch-path .build $(SWIFT_FLAGS) --filter MusicServiceProcessTests
	$(MAKE) fuzz-briefly
	@echo
	@echo "All tests passed. Next: 'make demo' shows an application, Docs/FirstHour.md builds your first programs."

# Tests the example applications' pages in a headless Chromium, and saves screenshots in .build/browser.
test-browser: packages
	Scripts/browser-tests.sh $(SWIFT_FLAGS)

# Writes the page that compares the library's symbols with Apple's.
parity: packages
	Scripts/parity.sh

# Compiles callers in each language mode and default isolation, and checks their diagnostics.
compile-matrix: packages
	Scripts/compile-matrix.sh $(SWIFT_FLAGS)

# Compiles and runs the Swift samples in README, pages and articles, and compares their output with the text.
samples: packages
	Scripts/check-docs.sh --build
	python3 Scripts/first-hour.py

# Builds the documentation as a static site in .build/docs; docs-preview serves it at http://127.0.0.1:8000, or at port PORT.
docs: packages
	Scripts/docs.sh $(SWIFT_FLAGS)
docs-preview: packages
	Scripts/docs.sh --preview $(SWIFT_FLAGS)

# Runs the tests that take only seconds after the build.
quick: packages
	swift test $(SWIFT_FLAGS) --filter '$(QUICK_TESTS)'

# Tests damaged files, hostile formats, and fetches that must return the same results from two stores.
fuzz: fuzz-files fuzz-predicates

# Tests FUZZ damaged files, many more than the other tests; FUZZ_SEED is the first seed.
FUZZ ?= 20000
FUZZ_SEED ?= 1000
fuzz-files: packages
	OPENCOREDATA_FUZZ=$(FUZZ) OPENCOREDATA_FUZZ_SEED=$(FUZZ_SEED) \
	  swift test $(SWIFT_FLAGS) --filter OpenFuzzTests

# Runs each of the two fuzzers for FUZZ_SECONDS.
FUZZ_SECONDS ?= 600
fuzz-predicates: packages
	Scripts/fuzz.sh formats $(FUZZ_SECONDS)
	Scripts/fuzz.sh stores $(FUZZ_SECONDS)

# Runs both fuzzers for about a minute, always with the same inputs.
fuzz-briefly: packages
	Scripts/fuzz.sh formats 2000000x
	Scripts/fuzz.sh stores 240000x

# Demonstrates the forum reader with a simulated site on this machine.
demo:
	@Scripts/demo.sh

# Demonstrates the music library with generated music.
demo-kanora:
	@Scripts/install-packages.sh $(ENCODERS)
	@Scripts/demo-kanora.sh

# Demonstrates the reading application.
demo-stories:
	@Scripts/demo-stories.sh

# Runs the benchmarks; see Docs/Internals/Performance.md.
bench:
	@Scripts/bench.sh

# Compares the PostgreSQL store with libpq in C.
bench-postgres:
	@Scripts/bench-postgres.sh

# Compares the instruction counts of the hot paths with their budgets, and checks the growth of work and memory.
bench-check:
	@Scripts/bench-check.sh

# Runs all tests of the library under the thread sanitizer, in a separate build.
thread-sanitizer: packages
	@Scripts/thread-sanitizer.sh

format:
	swift format --in-place --parallel --recursive $(SOURCES)

# Runs all checks that need no build.
check:
	@Scripts/check.sh

clean:
	rm -rf .build Benchmarks/.build Fuzz/.build .build-bench .build-tsan .demo .demo-kanora .demo-stories
