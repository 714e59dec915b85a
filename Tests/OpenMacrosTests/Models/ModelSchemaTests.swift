/// Goldens of `@Model`: the expansion of each kind of declaration.
final class ModelSchemaTests: ModelExpansionTestCase {
  private func row(
    _ name: String, path: String? = nil, default value: String = "nil", _ metadata: String = "nil"
  ) -> String { ExpectedModel.row(name, path: path, default: value, metadata) }

  func testMembersAreAsVisibleAsTheClass() {
    let levels = [
      "final": ("", "", true), "public final": ("public ", "public ", true),
      "public": ("public ", "public ", false), "open": ("open ", "public ", false),
      "package final": ("package ", "package ", true), "private final": ("", "", true),
    ]
    for (modifiers, (access, memberAccess, isFinal)) in levels {
      let members = ExpectedModel(access: access, memberAccess: memberAccess, isFinal: isFinal)
        .members
      check(
        "@Model \(modifiers) class Story {\n  init() {}\n}",
        expandsTo: "\(modifiers) class Story {\n  init() {}\n\(members)\n}\n"
          + ExpectedModel.extensions())
    }
  }

  func testANestedClassIsNamedByItself() {
    check(
      """
      enum FirstVersion {
        @Model final class Story {
          init() {}
        }
      }
      """,
      expandsTo: """
        enum FirstVersion {
          final class Story {
            init() {}
        \(ExpectedModel().members.indentedLines)
          }
        }

        """ + ExpectedModel.extensions(of: "FirstVersion.Story"))
  }

  func testAClassMayBringItsConformances() {
    check(
      "@Model final class Story: Identifiable, Codable, @unchecked Sendable {\n  init() {}\n}",
      expandsTo: """
        final class Story: Identifiable, Codable, @unchecked Sendable {
          init() {}
        \(ExpectedModel().members)
        }

        """ + ExpectedModel.extensions(own: true), superclass: .own)
  }

  func testInitialValuesHaveTheDeclaredType() {
    let model = ExpectedModel(
      rows: [
        row("state", default: "(.draft as State)"), row("count", default: "0"),
        row("rating", default: "(1 as Double?)"), row("pages", default: "([] as [Page])"),
        row("note", default: "(nil as String?)"),
      ], storage: ["_state", "_count", "_rating", "_pages", "_note"])
    check(
      """
      @Model final class Story {
        var state: State = .draft
        var count = 0
        var rating: Double? = 1
        var pages: [Page] = []
        var note: String! = nil
        init() {}
      }
      """,
      expandsTo: """
        final class Story {
          @_PersistedProperty
          var state: State = .draft
          @_PersistedProperty
          var count = 0
          @_PersistedProperty
          var rating: Double? = 1
          @_PersistedProperty
          var pages: [Page] = []
          @_PersistedProperty
          var note: String! = nil
          init() {}
        \(model.members)
        }

        """ + ExpectedModel.extensions())
  }

  func testInitialValuesWithOperatorsAreParenthesized() {
    let model = ExpectedModel(
      rows: [
        row("isLong", default: "((3 > 2) as Bool)"),
        row("side", default: "((3 > 2 ? .left : .right) as Side)"),
        row("sum", default: "((1 + 2) as Double)"), row("depth", default: "(-1 as Int)"),
        row("total", default: "1 + 2"),
      ], storage: ["_isLong", "_side", "_sum", "_depth", "_total"])
    check(
      """
      @Model final class Story {
        var isLong: Bool = 3 > 2
        var side: Side = 3 > 2 ? .left : .right
        var sum: Double = 1 + 2
        var depth: Int = -1
        var total = 1 + 2
        init() {}
      }
      """,
      expandsTo: """
        final class Story {
          @_PersistedProperty
          var isLong: Bool = 3 > 2
          @_PersistedProperty
          var side: Side = 3 > 2 ? .left : .right
          @_PersistedProperty
          var sum: Double = 1 + 2
          @_PersistedProperty
          var depth: Int = -1
          @_PersistedProperty
          var total = 1 + 2
          init() {}
        \(model.members)
        }

        """ + ExpectedModel.extensions())
  }

  func testInitialValuesWithBranchesAreValuesOfClosures() {
    func value(_ annotation: String) -> String {
      [
        "{", "          let __value\(annotation) = if Story.isWide {", "            Side.left",
        "          } else {", "            Side.right", "          }",
        "          return __value", "        }()",
      ].joined(separator: "\n")
    }
    let model = ExpectedModel(
      rows: [row("side", default: value(": Side?")), row("other", default: value(""))],
      storage: ["_side", "_other"])
    check(
      """
      @Model final class Story {
        var side: Side? = if Story.isWide { Side.left } else { Side.right }
        var other = if Story.isWide { Side.left } else { Side.right }
        init() {}
      }
      """,
      expandsTo: """
        final class Story {
          @_PersistedProperty
          var side: Side? = if Story.isWide { Side.left } else { Side.right }
          @_PersistedProperty
          var other = if Story.isWide { Side.left } else { Side.right }
          init() {}
        \(model.members)
        }

        """ + ExpectedModel.extensions())
  }

  func testOnlyStoredPropertiesOfInstancesArePersisted() {
    check(
      """
      @Model final class Story {
        static let limit = 3
        class var other: Int { 1 }
        var length: Int { 2 }
        var title: String { get { "" } set {} }
        @Transient var cache: Int = 0
        @SwiftData.Transient var other: Int?
        init() {}
      }
      """,
      expandsTo: """
        final class Story {
          static let limit = 3
          class var other: Int { 1 }
          var length: Int { 2 }
          var title: String { get { "" } set {} }
          @Transient var cache: Int = 0
          @SwiftData.Transient var other: Int?
          init() {}
        \(ExpectedModel().members)
        }

        """ + ExpectedModel.extensions())
  }

  func testNamesInBackticksAreThoseOfTheSchemaWithoutThem() {
    let model = ExpectedModel(
      rows: [
        row("default", path: "`default`"), row("two words", path: "`two words`"),
        row("isOpen"),
      ], storage: ["_default", "`_two words`", "_isOpen"])
    check(
      """
      @Model final class Story {
        var `default`: Bool
        var `two words`: Bool
        var `isOpen`: Bool
        init() {}
      }
      """,
      expandsTo: """
        final class Story {
          @_PersistedProperty
          var `default`: Bool
          @_PersistedProperty
          var `two words`: Bool
          @_PersistedProperty
          var `isOpen`: Bool
          init() {}
        \(model.members)
        }

        """ + ExpectedModel.extensions())
  }

  func testConstantsAndPrivateSettersArePersisted() {
    let model = ExpectedModel(
      rows: [row("id", default: "UUID()"), row("title")], storage: ["_id", "_title"])
    check(
      """
      @Model final class Story {
        let id = UUID()
        private(set) var title: String
        init() {}
      }
      """,
      expandsTo: """
        final class Story {
          @_PersistedProperty
          let id = UUID()
          @_PersistedProperty
          private(set) var title: String
          init() {}
        \(model.members)
        }

        """ + ExpectedModel.extensions())
  }

  func testATransformerChoosesOtherAccessors() {
    let by = ".transformable(by: Colors.self)"
    let model = ExpectedModel(
      rows: [row("color", "__Schema.Attribute(\(by))")], storage: ["_color"])
    check(
      """
      @Model final class Story {
        @Attribute(\(by)) var color: Color
        init() {}
      }
      """,
      expandsTo: """
        final class Story {
          @Attribute(\(by))
          @_TransformablePersistedProperty var color: Color
          init() {}
        \(model.members)
        }

        """ + ExpectedModel.extensions())
  }

  func testIndexesAndUniqueCombinationsAreRowsAfterTheProperties() {
    let head = "__Schema.PropertyMetadata(name: \"SwiftData.Schema."
    let path = "keypath: \\__Schema.encodingVersion, defaultValue: nil, metadata: __Schema."
    let model = ExpectedModel(
      rows: [
        row("first"), "\(head)Index\", \(path)Index<Story>([\\.last], [\\.last, \\.first]))",
        "\(head)Unique\", \(path)Unique<Story>([\\.first, \\.last]))",
      ], storage: ["_first"])
    check(
      """
      @Model final class Story {
        #Unique<Story>([\\.first, \\.last])
        #Index<Story>([\\.last], [\\.last, \\.first])
        var first: String
        init() {}
      }
      """,
      expandsTo: """
        final class Story {
          @_PersistedProperty
          var first: String
          init() {}
        \(model.members)
        }

        """ + ExpectedModel.extensions())
  }

  func testConditionalPropertiesAreConditionalEverywhere() {
    let model = ExpectedModel(
      statements: """
            var rows: [__Schema.PropertyMetadata] = []
            rows.append(\(row("title")))
            #if (DEBUG)
            rows.append(\(row("trace")))
            #endif
            return rows
        """,
      assignments: """
            _title = _SwiftDataNoType()
            #if (DEBUG)
            _trace = _SwiftDataNoType()
            #endif

        """)
    check(
      """
      @Model final class Story {
        var title: String
        #if DEBUG
          @_PersistedProperty var trace: String
        #endif
        init() {}
      }
      """,
      expandsTo: """
        final class Story {
          @_PersistedProperty
          var title: String
          #if DEBUG
            @_PersistedProperty var trace: String
          #endif
          init() {}
        \(model.members)
        }

        """ + ExpectedModel.extensions())
  }
}

extension String {
  /// The text with each line indented by two more spaces.
  fileprivate var indentedLines: String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
  }
}
