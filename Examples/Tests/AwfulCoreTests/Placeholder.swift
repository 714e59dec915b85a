// AwfulCoreTests
