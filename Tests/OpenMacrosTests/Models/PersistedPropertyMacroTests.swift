/// Goldens of the accessors of persisted properties.
final class PersistedPropertyMacroTests: ModelExpansionTestCase {
  /// The accessors and peers of a property of `Story`.
  private func expansion(
    _ declaration: String, storage: String, key: String, keyName: String, storageType: String,
    function: String = "", hasSetter: Bool = true
  ) -> String {
    let setter = """

          set {
            __object.set\(function)(Story.\(key), newValue, for: self)
          }
      """
    return """
      final class Story {
        \(declaration) {
          @storageRestrictions(accesses: _$backingData, initializes: \(storage))
          init(initialValue) {
            _$backingData.initialize\(function)(Story.\(key), initialValue)
            \(storage) = _SwiftDataNoType()
          }
          get {
            __reading(__object) {
              $0.get\(function)(Story.\(key))
            }
          }\(hasSetter ? setter : "")
        }

        private var \(storage): \(storageType)

        private nonisolated static let \(key) = __ModelKey("\(keyName)")
      }
      """
  }

  private func check(
    _ declaration: String, becomes property: String? = nil, name: String = "title",
    storageType: String, attribute: String = "@_PersistedProperty", function: String = "",
    hasSetter: Bool = true, file: StaticString = #filePath, line: UInt = #line
  ) {
    checkProperty(
      "final class Story {\n  \(attribute) \(declaration)\n}",
      expandsTo: expansion(
        property ?? declaration, storage: "_\(name)", key: "__key_\(name)", keyName: name,
        storageType: storageType, function: function, hasSetter: hasSetter),
      file: file, line: line)
  }

  func testAPropertyReadsAndWritesTheObject() {
    check("var title: String", storageType: "_SwiftDataNoType")
  }

  func testOptionalsOfAllSpellingsNeedNoInitialValue() {
    for type in [
      "String?", "String!", "Optional<String>", "Swift.Optional<String>", "(String?)", "[Page]?",
      "[String: Int]?", "(any P)?",
    ] {
      check("var title: \(type)", storageType: "_SwiftDataNoType?")
    }
    for type in ["[String?]", "Other.Optional<String>", "Result<Int?, any Error>"] {
      check("var title: \(type)", storageType: "_SwiftDataNoType")
    }
  }

  func testInitialValuesInitializeTheStorage() {
    // The compiler uses the initial value to call the init accessor, and the test support drops it.
    check(
      "var title: String = \"a\"", becomes: "var title: String",
      storageType: "_SwiftDataNoType = _SwiftDataNoType()")
    check(
      "var title = \"a\"", becomes: "var title",
      storageType: "_SwiftDataNoType = _SwiftDataNoType()")
    check(
      "var title: String? = nil", becomes: "var title: String?",
      storageType: "_SwiftDataNoType? = _SwiftDataNoType()")
  }

  func testConstantsHaveNoSetter() {
    check("let title: String", storageType: "_SwiftDataNoType", hasSetter: false)
  }

  func testSettersKeepTheirAccessLevel() {
    check("public private(set) var title: String", storageType: "_SwiftDataNoType")
  }

  func testNamesInBackticks() {
    check("var `default`: Bool", name: "default", storageType: "_SwiftDataNoType")
    checkProperty(
      "final class Story {\n  @_PersistedProperty var `two words`: Bool\n}",
      expandsTo: expansion(
        "var `two words`: Bool", storage: "`_two words`", key: "`__key_two words`",
        keyName: "two words", storageType: "_SwiftDataNoType"))
  }

  func testTransformersHaveFunctionsOfTheirOwn() {
    check(
      "var title: Color", storageType: "_SwiftDataNoType",
      attribute: "@_TransformablePersistedProperty", function: "Transformable")
  }

  func testMarkersExpandToNothing() {
    checkProperty(
      """
      final class Story {
        @Attribute(.unique, originalName: "name") var title: String
        @Relationship(deleteRule: .cascade) var pages: [Page]?
        @Relationship(.unique) var cover: Cover?
        @Transient var cache: Int { 1 }
      }
      """,
      expandsTo: """
        final class Story {
          var title: String
          var pages: [Page]?
          var cover: Cover?
          var cache: Int { 1 }
        }
        """)
  }
}
