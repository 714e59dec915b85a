import SwiftSyntaxMacrosGenericTestSupport

/// Goldens of the errors of `@Attribute` and `@Relationship`, and of their fix-its.
final class MarkerDiagnosticTests: ModelExpansionTestCase {
  private func check(
    _ attribute: String, _ member: String, _ message: String, column: Int, fix: String? = nil,
    to fixedMember: String? = nil, file: StaticString = #filePath, line: UInt = #line
  ) {
    checkProperty(
      "class Story {\n  \(attribute) \(member)\n}",
      expandsTo: "class Story {\n  \(member)\n}",
      diagnostics: [
        DiagnosticSpec(
          message: message, line: 2, column: column,
          fixIts: fix.map { [FixItSpec(message: $0)] } ?? [])
      ],
      fixedBy: fix, to: fixedMember.map { "class Story {\n  \($0)\n}" }, file: file, line: line)
  }

  func testAttributesAreStored() {
    let message = "'@Attribute' can only be attached to a stored property of a model"
    for member in ["var length: Int { 1 }", "static var limit = 1", "class var limit: Int { 1 }"] {
      check(
        "@Attribute(.unique)", member, message, column: 3, fix: "remove '@Attribute'", to: member)
    }
    check("@Attribute", "func title() {}", message, column: 3)
  }

  func testRelationshipsAreStored() {
    check(
      "@Relationship", "var pages: [Page] { [] }",
      "'@Relationship' can only be attached to a stored property of a model", column: 3,
      fix: "remove '@Relationship'", to: "var pages: [Page] { [] }")
  }

  func testRelationshipsLeadToModels() {
    for type in [
      "String", "Int?", "[Date]", "[UUID]?", "Array<Data>", "Optional<URL>", "[String: Page]",
      "(Page, Page)", "() -> Page",
    ] {
      check(
        "@Relationship", "var pages: \(type)",
        "'\(type)' is not a model; the type of a relationship must be a model or an array of models",
        column: 28,
        fix: "remove '@Relationship'", to: "var pages: \(type)")
    }
  }

  func testAModelMayBeNamedCharacter() {
    for type in ["Character?", "[Character]"] {
      checkProperty(
        "class Story {\n  @Relationship var heroes: \(type)\n}",
        expandsTo: "class Story {\n  var heroes: \(type)\n}")
    }
  }

  func testARelationshipIsNoSet() {
    check(
      "@Relationship", "var pages: Set<Page>",
      "'pages' cannot be a set; a to-many relationship must be an array of models", column: 28,
      fix: "replace the set with an array", to: "@Relationship var pages: [Page]")
  }

  func testAToManyRelationshipIsNotUnique() {
    let message = "a to-many relationship cannot be unique"
    check(
      "@Relationship(.unique)", "var pages: [Page]", message, column: 17,
      fix: "remove '.unique'", to: "@Relationship var pages: [Page]")
    check(
      "@Relationship(.unique, deleteRule: .cascade)", "var pages: [Page]?", message, column: 17,
      fix: "remove '.unique'", to: "@Relationship(deleteRule: .cascade) var pages: [Page]?")
  }
}
