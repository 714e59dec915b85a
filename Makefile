# One command for each task. The packages that use the library share its build, in which its modules are compiled once.
#
#   SWIFT_FLAGS   further options for swift build and swift test

SWIFT_FLAGS ?=
SOURCES = Sources Tests Examples/Sources Examples/Tests Benchmarks/Sources \
  Plugins Package.swift Examples/Package.swift Benchmarks/Package.swift
# Tests and a demonstration make audio files with these.
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

# The example applications' pages in a headless Chromium; screenshots are kept in .build/browser.
test-browser: packages
	Scripts/browser-tests.sh $(SWIFT_FLAGS)

# The page that compares the library's symbols with Apple's.
parity: packages
	Scripts/parity.sh

# Callers in each language mode and default isolation, and the diagnostics that they get.
compile-matrix: packages
	Scripts/compile-matrix.sh $(SWIFT_FLAGS)

# The Swift samples of README, pages and articles: compiled, run, and compared with the output that they show.
samples: packages
	Scripts/check-docs.sh --build
	python3 Scripts/first-hour.py

# The documentation as a static site in .build/docs; docs-preview shows it at http://127.0.0.1:8000, or at the port that PORT names.
docs: packages
	Scripts/docs.sh $(SWIFT_FLAGS)
docs-preview: packages
	Scripts/docs.sh --preview $(SWIFT_FLAGS)

# The tests that run in seconds once they are built.
quick: packages
	swift test $(SWIFT_FLAGS) --filter '$(QUICK_TESTS)'

# Damaged files, hostile formats, and fetches that two stores have to agree on.
fuzz: fuzz-files fuzz-predicates

# Many more damaged files than the tests try; FUZZ is their number, FUZZ_SEED the first seed.
FUZZ ?= 20000
FUZZ_SEED ?= 1000
fuzz-files: packages
	OPENCOREDATA_FUZZ=$(FUZZ) OPENCOREDATA_FUZZ_SEED=$(FUZZ_SEED) \
	  swift test $(SWIFT_FLAGS) --filter OpenFuzzTests

# Each of the two for FUZZ_SECONDS.
FUZZ_SECONDS ?= 600
fuzz-predicates: packages
	Scripts/fuzz.sh formats $(FUZZ_SECONDS)
	Scripts/fuzz.sh stores $(FUZZ_SECONDS)

# About a minute of both, always with the same inputs.
fuzz-briefly: packages
	Scripts/fuzz.sh formats 2000000x
	Scripts/fuzz.sh stores 240000x

# The forum reader against a made-up site on this machine.
demo:
	@Scripts/demo.sh

# The music library at work, with music that is made for it.
demo-kanora:
	@Scripts/install-packages.sh $(ENCODERS)
	@Scripts/demo-kanora.sh

# The reading application at work.
demo-stories:
	@Scripts/demo-stories.sh

# Measurements; see Docs/Internals/Performance.md.
bench:
	@Scripts/bench.sh

# The store in PostgreSQL beside libpq in C.
bench-postgres:
	@Scripts/bench-postgres.sh

# Instructions of the hot paths against their budgets, and how work and memory grow.
bench-check:
	@Scripts/bench-check.sh

# All tests of the library under the thread sanitizer, in a build of its own.
thread-sanitizer: packages
	@Scripts/thread-sanitizer.sh

format:
	swift format --in-place --parallel --recursive $(SOURCES)

# Everything that needs no build.
check:
	@Scripts/check.sh

clean:
	rm -rf .build Benchmarks/.build Fuzz/.build .build-bench .build-tsan .demo .demo-kanora .demo-stories
