/// Goldens of `@ManagedObject`, and what it refuses.
final class ManagedObjectMacroTests: ExpansionTestCase {
  func testWithoutNameNothingIsAdded() {
    check(
      """
      @ManagedObject
      public class Forum: NSManagedObject {
      }
      """,
      expandsTo: """
        public class Forum: NSManagedObject {
        }
        """)
  }

  func testOwnNameAddsNothing() {
    check(
      """
      @ManagedObject("Forum")
      public class Forum: NSManagedObject {
      }
      """,
      expandsTo: """
        public class Forum: NSManagedObject {
        }
        """)
  }

  func testOtherNameIsToldAndCanBeFound() {
    let accessLevels = [
      "": "", "final ": "", "fileprivate ": "", "package ": "package ", "public ": "public ",
      "open ": "open ", "public final ": "public ",
    ]
    for (modifiers, access) in accessLevels {
      check(
        """
        @ManagedObject("Thread")
        \(modifiers)class ForumThread: NSManagedObject {
        }
        """,
        expandsTo: """
          \(modifiers)class ForumThread: NSManagedObject {

            \(access)override class var __managedClassName: String {
              self == ForumThread.self ? "Thread" : super.__managedClassName
            }

            private final class __ManagedClassName_Thread {
            }
          }
          """)
    }
  }

  func testOnlyClassesAreAccepted() {
    for keyword in ["struct", "enum", "actor", "extension"] {
      checkDeclaration(
        "\(keyword) Forum {", isRefusedWith: "'@ManagedObject' can only be attached to a class",
        column: 1)
    }
  }

  func testClassWithoutSuperclassIsRefused() {
    checkDeclaration(
      "class Forum {", isRefusedWith: "'@ManagedObject' needs a subclass of 'NSManagedObject'",
      atLine: 2, column: 7)
  }

  func testGenericClassIsRefused() {
    checkDeclaration(
      "class Forum<Value>: NSManagedObject {",
      isRefusedWith: "'@ManagedObject' needs a class without type parameters", atLine: 2, column: 12
    )
  }

  func testNameThatIsNoIdentifierIsRefused() {
    for name in ["", "App.Forum", "Fo rum"] {
      checkDeclaration(
        "class Forum: NSManagedObject {", attribute: "@ManagedObject(\"\(name)\")",
        isRefusedWith: "the name must be a Swift identifier", column: 16)
    }
  }

  func testInterpolatedNameIsRefused() {
    checkDeclaration(
      "class Forum: NSManagedObject {", attribute: #"@ManagedObject("A\(b)")"#,
      isRefusedWith: "the name must be a string literal without interpolation", column: 16)
  }

  /// Checks an empty declaration, which the macro leaves alone.
  private func checkDeclaration(
    _ opening: String, attribute: String = "@ManagedObject", isRefusedWith message: String,
    atLine errorLine: Int = 1, column: Int, file: StaticString = #filePath, line: UInt = #line
  ) {
    check(
      "\(attribute)\n\(opening)\n}", isRefusedWith: message, atLine: errorLine, column: column,
      leaving: "\(opening)\n}", file: file, line: line)
  }
}
