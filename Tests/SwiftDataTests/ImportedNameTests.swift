import SwiftData
import Testing

/// A transformer as applications for Apple platforms declare it.
private final class ImportedNameTransformer: NSSecureUnarchiveFromDataTransformer {
  override class var allowedTopLevelClasses: [AnyClass] { [NSString.self] }
}

@Suite("Names of Foundation that Apple's SwiftData provides")
struct ImportedNameTests {
  @Test("a transformer of secure archives needs only this module")
  func secureTransformer() throws {
    let transformer = ImportedNameTransformer()
    let data = try #require(transformer.reverseTransformedValue("a") as? Data)
    #expect(transformer.transformedValue(data) as? String == "a")
  }

  @Test("an autorelease pool needs only this module")
  func pool() {
    #expect(autoreleasepool { 7 } == 7)
  }
}
