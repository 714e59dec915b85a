/// Goldens of `@Model` on a class that derives from a model.
final class SubmodelMacroTests: ModelExpansionTestCase {
  private func members(
    access: String = "", memberAccess: String = "", rows: String, sets: String
  ) -> String {
    """

        @Transient private var _$backingData = __ModelValues(for: Dog.self)

        \(access)override class var schemaMetadata: [__Schema.PropertyMetadata] {
          super.schemaMetadata + \(rows)
        }

        \(memberAccess)required init(__object object: __shared __ModelObject) {
    \(sets)      super.init(__object: object)
        }

        \(memberAccess)required convenience init(backingData: any __BackingData<Root>) {
          self.init(__object: __ModelObject.make(from: backingData))
        }

        nonisolated func access<_M>(keyPath: Swift.KeyPath<Dog, _M>) {
          __object.access(keyPath)
        }

        nonisolated func withMutation<_M, _R>(
          keyPath: Swift.KeyPath<Dog, _M>, _ mutation: () throws -> _R
        ) rethrows -> _R {
          try __object.withMutation(keyPath, mutation)
        }

        nonisolated struct _SwiftDataNoType {
        }
    """.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("  ") ? String($0.dropFirst(2)) : String($0) }.joined(separator: "\n")
  }

  func testASubmodelAddsItsRowsAndKeepsItsValuesUntilTheRootHasAnObject() {
    let rows = """
      [
              __Schema.PropertyMetadata(name: "breed", keypath: \\Dog.breed, defaultValue: nil, metadata: nil),
            ]
      """
    check(
      """
      @Model class Dog: Animal {
        var breed: String
        init(breed: String) {
          self.breed = breed
          super.init(name: "")
        }
      }
      """,
      expandsTo: """
        class Dog: Animal {
          @_PersistedProperty
          var breed: String
          init(breed: String) {
            self.breed = breed
            super.init(name: "")
          }
        \(members(rows: rows, sets: "      _breed = _SwiftDataNoType()\n"))
        }
        """, superclass: .model)
  }

  func testAFinalSubmodelNeedsARequiredInitializerToo() {
    check(
      "@Model final class Dog: Animal {\n  init() { super.init() }\n}",
      expandsTo: """
        final class Dog: Animal {
          init() { super.init() }
        \(members(rows: "[]", sets: ""))
        }
        """, superclass: .model)
  }

  func testAnOpenSubmodelCanBeDerivedFrom() {
    check(
      "@Model open class Dog: Animal {\n  init() { super.init() }\n}",
      expandsTo: """
        open class Dog: Animal {
          init() { super.init() }
        \(members(access: "open ", memberAccess: "public ", rows: "[]", sets: ""))
        }
        """, superclass: .model)
  }

  func testAClassThatConformsInAnotherWayIsARoot() {
    for name in ["PersistentModel", "Titled & PersistentModel", "AnyStory"] {
      check(
        "@Model final class Story: \(name) {\n  init() {}\n}",
        expandsTo: """
          final class Story: \(name) {
            init() {}
          \(ExpectedModel().members)
          }

          extension Story: nonisolated __RootModel {
          }
          """, superclass: .conforming)
    }
  }
}
