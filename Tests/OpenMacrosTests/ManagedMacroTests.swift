/// Goldens of `@Managed` on properties.
final class ManagedMacroTests: ExpansionTestCase {
  func testPropertyReadsAndWritesThroughItsType() {
    check(
      """
      class Forum: NSManagedObject {
        @Managed public var title: String
      }
      """,
      expandsTo: """
        class Forum: NSManagedObject {
          public var title: String {
            get {
              String.__read(self, Self.__key_title)
            }
            set {
              String.__write(self, Self.__key_title, newValue)
            }
          }

          private nonisolated static let __key_title = __ManagedKey("title")
        }
        """)
  }

  func testPropertyInAnExtensionExpandsAlike() {
    check(
      """
      extension Forum {
        @Managed public private(set) var isHidden: Bool
      }
      """,
      expandsTo: """
        extension Forum {
          public private(set) var isHidden: Bool {
            get {
              Bool.__read(self, Self.__key_isHidden)
            }
            set {
              Bool.__write(self, Self.__key_isHidden, newValue)
            }
          }

          private nonisolated static let __key_isHidden = __ManagedKey("isHidden")
        }
        """)
  }

  func testTypesAreKeptAsWritten() {
    let spellings = [
      "String?": "(String?)", "Foundation.Date": "Foundation.Date", "[String]": "[String]",
      "[String: Any]?": "([String: Any]?)", "Set<Forum>": "Set<Forum>", "Forum!": "(Forum?)",
      "any Shape": "(any Shape)", "Shape & Sendable": "(Shape & Sendable)",
    ]
    for (type, expression) in spellings {
      check(
        """
        extension Forum {
          @Managed var value: \(type)
        }
        """,
        expandsTo: """
          extension Forum {
            var value: \(type) {
              get {
                \(expression).__read(self, Self.__key_value)
              }
              set {
                \(expression).__write(self, Self.__key_value, newValue)
              }
            }

            private nonisolated static let __key_value = __ManagedKey("value")
          }
          """)
    }
  }

  func testPrimitiveNameMeansThePrimitiveValue() {
    check(
      """
      class Forum: NSManagedObject {
        @Managed private var primitiveTitle: String?
      }
      """,
      expandsTo: """
        class Forum: NSManagedObject {
          private var primitiveTitle: String? {
            get {
              (String?).__read(self, Self.__key_primitiveTitle.key(in: self))
            }
            set {
              Self.__key_primitiveTitle.write(in: self) {
                (String?).__write(self, $0, newValue)
              }
            }
          }

          private nonisolated static let __key_primitiveTitle = __PrimitiveKey("primitiveTitle", of: "title")
        }
        """)
  }

  func testItsOwnNameAsArgumentMeansThePropertyItself() {
    check(
      """
      extension Forum {
        @Managed("primitiveType") var primitiveType: String?
      }
      """,
      expandsTo: """
        extension Forum {
          var primitiveType: String? {
            get {
              (String?).__read(self, Self.__key_primitiveType)
            }
            set {
              (String?).__write(self, Self.__key_primitiveType, newValue)
            }
          }

          private nonisolated static let __key_primitiveType = __ManagedKey("primitiveType")
        }
        """)
  }

  func testNameThatOnlyBeginsLikePrimitiveIsOrdinary() {
    check(
      """
      extension Forum {
        @Managed var primitives: Int64
      }
      """,
      expandsTo: """
        extension Forum {
          var primitives: Int64 {
            get {
              Int64.__read(self, Self.__key_primitives)
            }
            set {
              Int64.__write(self, Self.__key_primitives, newValue)
            }
          }

          private nonisolated static let __key_primitives = __ManagedKey("primitives")
        }
        """)
  }

  func testArgumentNamesThePropertyInTheModel() {
    check(
      """
      extension Forum {
        @Managed("class") var kind: Int16
      }
      """,
      expandsTo: """
        extension Forum {
          var kind: Int16 {
            get {
              Int16.__read(self, Self.__key_kind)
            }
            set {
              Int16.__write(self, Self.__key_kind, newValue)
            }
          }

          private nonisolated static let __key_kind = __ManagedKey("class")
        }
        """)
  }

  func testBackticksAreNotPartOfTheName() {
    check(
      """
      extension Forum {
        @Managed var `default`: Bool
      }
      """,
      expandsTo: """
        extension Forum {
          var `default`: Bool {
            get {
              Bool.__read(self, Self.__key_default)
            }
            set {
              Bool.__write(self, Self.__key_default, newValue)
            }
          }

          private nonisolated static let __key_default = __ManagedKey("default")
        }
        """)
  }
}
