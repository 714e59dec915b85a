/// Goldens of the errors of `@Managed`.
final class ManagedMacroDiagnosticTests: ExpansionTestCase {
  func testFunctionIsReferredToTheOtherMacro() {
    check(
      """
      extension Forum {
        @Managed func addToThreads(_ value: Thread)
      }
      """,
      isRefusedWith:
        "'@Managed' can only be attached to a property; use '@ManagedAccessor' for a method",
      atLine: 2, column: 17,
      leaving: """
        extension Forum {
          func addToThreads(_ value: Thread)
        }
        """,
      fixedBy: "replace '@Managed' with '@ManagedAccessor'",
      to: """
        extension Forum {
          @ManagedAccessor func addToThreads(_ value: Thread)
        }
        """)
  }

  func testOtherDeclarationsAreRefused() {
    checkMember(
      "typealias Title = String", attribute: "@Managed",
      isRefusedWith: "'@Managed' can only be attached to a property", column: 3)
  }

  func testConstantIsRefused() {
    checkMember(
      "let title: String", attribute: "@Managed",
      isRefusedWith: "'@Managed' requires a 'var', because the context changes the value",
      column: 12)
  }

  func testTupleIsRefused() {
    checkMember(
      "var (first, second): (Int, Int)", attribute: "@Managed",
      isRefusedWith: "'@Managed' requires a property with a simple name", column: 16)
  }

  func testMissingTypeIsRefused() {
    checkMember(
      "var title", attribute: "@Managed",
      isRefusedWith: "'@Managed' requires a property with an explicit type", column: 16)
  }

  func testInitialValueIsRefused() {
    checkMember(
      #"var title: String = """#, attribute: "@Managed",
      isRefusedWith:
        "a managed property cannot have an initial value; set a default in the model", column: 30)
  }

  func testAccessorsAreRefused() {
    checkMember(
      "var title: String { \"\" }", attribute: "@Managed",
      isRefusedWith: "a managed property cannot have accessors or observers", column: 30)
  }

  func testStaticMemberIsRefused() {
    checkMember(
      "static var title: String", attribute: "@Managed",
      isRefusedWith: "'@Managed' cannot be attached to a static member", column: 12)
  }

  func testClassMemberIsRefused() {
    checkMember(
      "class var title: String", attribute: "@Managed",
      isRefusedWith: "'@Managed' cannot be attached to a static member", column: 12)
  }

  func testInterpolatedNameIsRefused() {
    checkMember(
      "var title: String", attribute: #"@Managed("\(x)")"#,
      isRefusedWith: "the name must be a string literal without interpolation", column: 12)
  }

  func testExpressionAsNameIsRefused() {
    checkMember(
      "var title: String", attribute: "@Managed(name)",
      isRefusedWith: "the name must be a string literal without interpolation", column: 12)
  }

  func testNameThatIsNoIdentifierIsRefused() {
    for name in ["", "a b", "1a", "forum.title"] {
      checkMember(
        "var title: String", attribute: "@Managed(\"\(name)\")",
        isRefusedWith: "the name must be a Swift identifier", column: 12)
    }
  }

  func testStructureIsRefused() {
    check(
      """
      struct Forum {
        @Managed var title: String
      }
      """,
      isRefusedWith: "'@Managed' can only be used in a class or an extension of a class",
      atLine: 2, column: 3,
      leaving: """
        struct Forum {
          var title: String
        }
        """)
  }

  func testGenericClassIsRefused() {
    check(
      """
      class Forum<Value>: NSManagedObject {
        @Managed var title: String
      }
      """,
      isRefusedWith: "a managed property cannot be declared in a generic class", atLine: 2,
      column: 3,
      leaving: """
        class Forum<Value>: NSManagedObject {
          var title: String
        }
        """)
  }

  /// Checks a member of a class, in line 2 of the source, which the macro leaves alone.
  private func checkMember(
    _ member: String, attribute: String, isRefusedWith message: String, column: Int,
    file: StaticString = #filePath, line: UInt = #line
  ) {
    check(
      """
      class Forum: NSManagedObject {
        \(attribute) \(member)
      }
      """,
      isRefusedWith: message, atLine: 2, column: column,
      leaving: """
        class Forum: NSManagedObject {
          \(member)
        }
        """, file: file, line: line)
  }
}
