// OpenPersistenceKitTests
