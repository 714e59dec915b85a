# One command for each task; every folder keeps its own build, so that repeated runs are quick.
#
#   SWIFT_FLAGS   further options for swift build and swift test

SWIFT_FLAGS ?=
SOURCES = Sources Tests Examples/Sources Examples/Tests Benchmarks/Sources \
  Package.swift Examples/Package.swift Benchmarks/Package.swift
QUICK_TESTS = OpenPredicatesTests|OpenObjectModelTests|OpenSQLCoreTests|CoreDataTests

.PHONY: all build test quick demo bench format check clean packages

all: build

packages:
	@Scripts/install-packages.sh

build: packages
	swift build $(SWIFT_FLAGS)

# All tests of the library and of the example applications.
test: packages
	swift test $(SWIFT_FLAGS)
	swift test --package-path Examples $(SWIFT_FLAGS)

# The tests that run in seconds once they are built.
quick: packages
	swift test $(SWIFT_FLAGS) --filter '$(QUICK_TESTS)'

# The forum reader against a made-up site on this machine.
demo:
	@Scripts/demo.sh

# Measurements; see Docs/Performance.md.
bench:
	@Scripts/bench.sh

format:
	swift format --in-place --parallel --recursive $(SOURCES)

# Everything that needs no build.
check:
	@Scripts/check.sh

clean:
	rm -rf .build Examples/.build Benchmarks/.build .build-bench .demo
