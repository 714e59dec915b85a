import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport

/// Goldens of the errors of `@Model`, and of its fix-its.
final class ModelDiagnosticTests: ModelExpansionTestCase {
  private func spec(
    _ message: String, line: Int, column: Int, fixIts: [String] = []
  ) -> DiagnosticSpec {
    DiagnosticSpec(
      message: message, line: line, column: column,
      fixIts: fixIts.map { FixItSpec(message: $0) })
  }

  /// Checks a member in line 2, which the macro does not persist.
  private func checkMember(
    _ member: String, _ message: String, column: Int, fixIts: [String] = [],
    to fixedMember: String? = nil, persisted: String? = nil, model: ExpectedModel = ExpectedModel(),
    severity: DiagnosticSeverity = .error,
    file: StaticString = #filePath, line: UInt = #line
  ) {
    check(
      "@Model final class Story {\n  \(member)\n  init() {}\n}",
      expandsTo: """
        final class Story {
          \(persisted ?? member)
          init() {}
        \(model.members)
        }

        """ + ExpectedModel.extensions(),
      diagnostics: [
        DiagnosticSpec(
          message: message, line: 2, column: column, severity: severity,
          fixIts: fixIts.map { FixItSpec(message: $0) })
      ],
      fixedBy: fixedMember == nil ? nil : fixIts.first,
      to: fixedMember.map { "@Model final class Story {\n  \($0)\n  init() {}\n}" },
      file: file, line: line)
  }

  /// A model with one property.
  private func model(_ name: String, default value: String = "nil", _ metadata: String = "nil")
    -> ExpectedModel
  {
    ExpectedModel(
      rows: [ExpectedModel.row(name, default: value, metadata)], storage: ["_\(name)"])
  }

  // MARK: Classes

  func testOtherTypesAreRefused() {
    for keyword in ["struct", "actor"] {
      let fix = "replace '\(keyword)' with 'final class'"
      check(
        "@Model\npublic \(keyword) Story {\n  var title: String\n}",
        expandsTo: "public \(keyword) Story {\n  var title: String\n}",
        diagnostics: [
          spec("'@Model' can only be applied to a class", line: 1, column: 1, fixIts: [fix])
        ],
        fixedBy: fix, to: "@Model\npublic final class Story {\n  var title: String\n}")
    }
    check(
      "@Model\nenum Story {\n  case draft\n}", expandsTo: "enum Story {\n  case draft\n}",
      diagnostics: [spec("'@Model' can only be applied to a class", line: 1, column: 1)])
  }

  func testGenericClassesAreRefused() {
    check(
      "@Model final class Story<Page> {\n  var page: Page\n  init() {}\n}",
      expandsTo: "final class Story<Page> {\n  var page: Page\n  init() {}\n}",
      diagnostics: [
        spec("'@Model' cannot be applied to a generic class", line: 1, column: 25)
      ])
  }

  func testIsolatedClassesAreRefused() {
    for actor in ["MainActor", "StoreActor"] {
      let fix = "remove '@\(actor)'"
      check(
        "@\(actor) @Model final class Story {\n  var title = \"\"\n  init() {}\n}",
        expandsTo: "@\(actor) final class Story {\n  var title = \"\"\n  init() {}\n}",
        diagnostics: [
          spec(
            "a model cannot be isolated to an actor, because its context determines where the model is "
              + "used; remove '@\(actor)'", line: 1, column: 1, fixIts: [fix])
        ],
        fixedBy: fix, to: "@Model final class Story {\n  var title = \"\"\n  init() {}\n}")
    }
  }

  func testAClassWithoutInitializerIsRefused() {
    let fix = "add an initializer"
    let model = ExpectedModel(
      access: "public ",
      rows: [
        ExpectedModel.row("title"), ExpectedModel.row("default", path: "`default`"),
        ExpectedModel.row("count", default: "0"), ExpectedModel.row("note"),
      ], storage: ["_title", "_default", "_count", "_note"])
    let source = """
      public final class Story {
        var title: String
        var `default`: Bool
        var count = 0
        var note: String?
      """
    check(
      "@Model\n\(source)\n}",
      expandsTo: """
        public final class Story {
          @_PersistedProperty
          var title: String
          @_PersistedProperty
          var `default`: Bool
          @_PersistedProperty
          var count = 0
          @_PersistedProperty
          var note: String?
        \(model.members)
        }

        """ + ExpectedModel.extensions(),
      diagnostics: [
        spec(
          "@Model requires an initializer be provided for 'Story'", line: 1, column: 1,
          fixIts: [fix])
      ],
      fixedBy: fix,
      to: """
        @Model
        \(source)

          public init(title: String, default: Bool) {
            self.title = title
            self.`default` = `default`
          }
        }
        """)
  }

  // MARK: Properties

  func testTransientPropertiesNeedAValue() {
    let message =
      "@Transient requires non-optional property 'cache' to have a default value"
    checkMember(
      "@Transient var cache: Int", message, column: 3,
      fixIts: ["add a default value", "make the property optional"],
      to: "@Transient var cache: Int = <#default value#>")
    checkMember(
      "@Transient var cache: any P", message, column: 3,
      fixIts: ["add a default value", "make the property optional"],
      to: "@Transient var cache: any P = <#default value#>")
  }

  func testTransientConstantsNeedAValue() {
    for type in ["Int", "Int?"] {
      checkMember(
        "@Transient let cache: \(type)",
        "@Transient requires constant 'cache' to have a default value", column: 3,
        fixIts: ["add a default value"],
        to: "@Transient let cache: \(type) = <#default value#>")
    }
  }

  func testMarkersOfAPropertyAreUnconditional() {
    for marker in ["Attribute(.unique)", "Relationship", "Transient"] {
      let property = "#if TEST\n  @\(marker)\n  #endif\n  var title: String"
      let name = marker.prefix(while: \.isLetter)
      check(
        "@Model final class Story {\n  \(property)\n  init() {}\n}",
        expandsTo: """
          final class Story {
            #if TEST
            @\(marker)
            #endif
            @_PersistedProperty
            var title: String
            init() {}
          \(model("title").members)
          }

          """ + ExpectedModel.extensions(),
        diagnostics: [
          spec(
            "'@Model' cannot evaluate the '#if' block around '@\(name)'; put the whole declaration of the "
              + "property in the block", line: 3, column: 3)
        ])
    }
  }

  func testModifiersThatComputedPropertiesCannotHave() {
    for (modifier, column) in ["lazy": 3, "weak": 3, "unowned": 3] {
      checkMember(
        "\(modifier) var cache: Cache? = Cache()",
        "a persisted property cannot be '\(modifier)'; make 'cache' transient", column: column,
        fixIts: ["add '@Transient'"], to: "@Transient \(modifier) var cache: Cache? = Cache()")
    }
  }

  func testSeveralVariablesInOneDeclaration() {
    checkMember(
      "var x, y: Int, z = 1", "'@Model' requires a separate declaration for each property",
      column: 7, fixIts: ["declare each property separately"],
      to: "var x: Int\n  var y: Int\n  var z = 1")
  }

  func testTuples() {
    checkMember(
      "var (x, y) = (1, 2)", "'@Model' requires properties with simple names", column: 7)
  }

  func testMissingTypes() {
    checkMember(
      "var title", "'title' requires a type or an initial value", column: 7,
      fixIts: ["add a type"], to: "var title: <#type#>",
      persisted: "@_PersistedProperty\n  var title", model: model("title"))
  }

  func testASetOfTheModelItself() {
    let message = "'others' cannot be a set; a to-many relationship must be an array of models"
    checkMember(
      "var others: Set<Story>", message, column: 15, fixIts: ["replace the set with an array"],
      to: "var others: [Story]", persisted: "@_PersistedProperty\n  var others: Set<Story>",
      model: model("others"))
    checkMember(
      "var others: Swift.Set<Story>?", message, column: 15,
      fixIts: ["replace the set with an array"], to: "var others: [Story]?",
      persisted: "@_PersistedProperty\n  var others: Swift.Set<Story>?", model: model("others"))
  }

  func testAPropertyIsEitherAnAttributeOrARelationship() {
    checkMember(
      "@Attribute(.unique) @Relationship var cover: Cover",
      "'cover' cannot be both an attribute and a relationship", column: 23,
      fixIts: ["remove '@Attribute'", "remove '@Relationship'"],
      to: "@Relationship var cover: Cover",
      persisted: "@Attribute(.unique) @Relationship\n  @_PersistedProperty var cover: Cover",
      model: model("cover", "__Schema.Attribute(.unique)"))
  }

  func testObserversNeverRun() {
    checkMember(
      "var title: String = \"a\" { didSet { log() } }",
      "'didSet' of 'title' is never called, because the value of a persisted property is stored in its context",
      column: 29, fixIts: ["remove the observers"], to: "var title: String = \"a\"",
      persisted: "@_PersistedProperty\n  var title: String = \"a\" { didSet { log() } }",
      model: model("title", default: "(\"a\" as String)"), severity: .warning)
  }
}
