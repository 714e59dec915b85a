/// Goldens of the expansions and errors of `@ManagedObject`.
final class ManagedObjectMacroTests: ExpansionTestCase {
  func testWithoutNameOrWithItsOwnAClassSaysThatItHasNoValidationMethods() {
    for attribute in ["@ManagedObject", "@ManagedObject(\"Forum\")"] {
      check(
        """
        \(attribute)
        public class Forum: NSManagedObject {
        }
        """,
        expandsTo: """
          public class Forum: NSManagedObject {

            public override class var __validatesMore: Swift.Bool {
              self != Forum.self || NSManagedObject.__validatesMore
            }
          }
          """)
    }
  }

  func testValidationMethodsAreCalledByTheKeyOfTheirProperty() {
    check(
      """
      @ManagedObject
      class Forum: Site {
        func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
        func validateURL(_ pointer: UnsafeMutablePointer<AnyObject?>) {}
        func validateEverything() throws {}
        static func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
      }
      """,
      expandsTo: """
        class Forum: Site {
          func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
          func validateURL(_ pointer: UnsafeMutablePointer<AnyObject?>) {}
          func validateEverything() throws {}
          static func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}

          override class var __validatesMore: Swift.Bool {
            true
          }

          override func __validate(
            _ value: Swift.UnsafeMutablePointer<Swift.AnyObject?>, forKey key: Swift.String
          ) throws {
            switch key {
            case "title", "Title":
              try validateTitle(value)
            case "uRL", "URL":
              validateURL(value)
            default:
              try super.__validate(value, forKey: key)
            }
          }
        }
        """)
  }

  func testAValidationMethodWithAnotherPointerIsRefused() {
    let method =
      "func validateAge(_ value: AutoreleasingUnsafeMutablePointer<NSNumber?>) throws {}"
    check(
      "@ManagedObject\nclass Forum: NSManagedObject {\n  \(method)\n}",
      isRefusedWith:
        "a validation method requires a parameter of the type 'AutoreleasingUnsafeMutablePointer<AnyObject?>'; "
        + "cast its 'pointee' in the method", atLine: 3, column: 29,
      leaving: "class Forum: NSManagedObject {\n  \(method)\n}")
  }

  func testAnOverrideOfValidateValueIsToldEvenIfItIsConditional() {
    check(
      """
      @ManagedObject
      class Forum: NSManagedObject {
        #if DEBUG
          override func validateValue(
            _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
          ) throws {}
        #endif
      }
      """,
      expandsTo: """
        class Forum: NSManagedObject {
          #if DEBUG
            override func validateValue(
              _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
            ) throws {}
          #endif

          override class var __validatesMore: Swift.Bool {
            true
          }
        }
        """)
  }

  func testConditionalValidationMethodsAreCalledUnderTheirConditions() {
    let body = """
      #if DEBUG
        func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
        #elseif os(Linux) || TEST
        func validateName(_ value: Swift.UnsafeMutablePointer<Swift.AnyObject?>) {}
        #else
        #if canImport(UIKit)
        func validateIcon(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
        #endif
        #endif
      """
    check(
      "@ManagedObject\nclass Forum: NSManagedObject {\n  \(body)\n}",
      expandsTo: """
        class Forum: NSManagedObject {
          \(body)

          override class var __validatesMore: Swift.Bool {
            true
          }

          override func __validate(
            _ value: Swift.UnsafeMutablePointer<Swift.AnyObject?>, forKey key: Swift.String
          ) throws {
            switch key {
            #if (DEBUG)
              case "title", "Title":
              try validateTitle(value)
            #endif
            #if !(DEBUG) && (os(Linux) || TEST)
              case "name", "Name":
              validateName(value)
            #endif
            #if !(DEBUG) && !(os(Linux) || TEST) && (canImport(UIKit))
              case "icon", "Icon":
              try validateIcon(value)
            #endif
              default:
              try super.__validate(value, forKey: key)
            }
          }
        }
        """)
  }

  func testMembersOfAPublicExtensionArePublic() {
    check(
      """
      public extension Namespace {
        @ManagedObject
        class Forum: NSManagedObject {
        }
        @ManagedObject
        internal class Post: NSManagedObject {
        }
      }
      """,
      expandsTo: """
        public extension Namespace {
          class Forum: NSManagedObject {

            public override class var __validatesMore: Swift.Bool {
              self != Forum.self || NSManagedObject.__validatesMore
            }
          }
          internal class Post: NSManagedObject {

            override class var __validatesMore: Swift.Bool {
              self != Post.self || NSManagedObject.__validatesMore
            }
          }
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

            \(access)override class var __managedClassName: Swift.String {
              self == ForumThread.self ? "Thread" : super.__managedClassName
            }

            private final class __ManagedClassName_Thread {
            }

            \(access)override class var __validatesMore: Swift.Bool {
              self != ForumThread.self || NSManagedObject.__validatesMore
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
      "class Forum {", isRefusedWith: "'@ManagedObject' requires a subclass of 'NSManagedObject'",
      atLine: 2, column: 7)
  }

  func testGenericClassIsRefused() {
    checkDeclaration(
      "class Forum<Value>: NSManagedObject {",
      isRefusedWith: "'@ManagedObject' cannot be attached to a generic class", atLine: 2, column: 12
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
