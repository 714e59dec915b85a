// OpenObjectGraphTests
