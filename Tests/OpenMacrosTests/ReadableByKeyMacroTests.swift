import OpenMacros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import SwiftSyntaxMacrosTestSupport
import XCTest

/// Goldens of `@ReadableByKey`, and what it refuses.
final class ReadableByKeyMacroTests: XCTestCase {
  /// Checks an expansion; `conforms` says that the superclass is readable by key already.
  private func check(
    _ source: String, expandsTo expansion: String, conforms: Bool = false,
    diagnostics: [DiagnosticSpec] = [], file: StaticString = #filePath, line: UInt = #line
  ) {
    let spec = MacroSpec(
      type: ReadableByKeyMacro.self, conformances: conforms ? [] : ["KeyValueReadable"])
    assertMacroExpansion(
      source, expandedSource: expansion, diagnostics: diagnostics,
      macroSpecs: ["ReadableByKey": spec], indentationWidth: .spaces(2), file: file, line: line)
  }

  func testStructure() {
    check(
      """
      @ReadableByKey
      struct Track {
        let title: String
        var album: Album?, year = 1990
      }
      """,
      expandsTo: """
        struct Track {
          let title: String
          var album: Album?, year = 1990

          func readableValue(forKey key: Swift.String) -> Any? {
            switch key {
            case "title":
              return self.title
            case "album":
              return self.album
            case "year":
              return self.year
            default:
              return OpenPredicates.NoSuchKey.marker
            }
          }
        }

        extension Track: OpenPredicates.KeyValueReadable {
        }
        """)
  }

  func testMethodIsAsVisibleAsTheType() {
    let accessLevels = [
      "final class": "", "public final class": "public ", "open class": "open ",
      "package struct": "package ", "private struct": "", "fileprivate class": "",
    ]
    for (keyword, access) in accessLevels {
      check(
        """
        @ReadableByKey
        \(keyword) Track {
        }
        """,
        expandsTo: """
          \(keyword) Track {

            \(access)func readableValue(forKey key: Swift.String) -> Any? {
              switch key {
              default:
                return OpenPredicates.NoSuchKey.marker
              }
            }
          }

          extension Track: OpenPredicates.KeyValueReadable {
          }
          """)
    }
  }

  func testSubclassLeavesUnknownNamesToItsSuperclass() {
    check(
      """
      @ReadableByKey
      public class Single: Track {
        var side = "A"
      }
      """,
      expandsTo: """
        public class Single: Track {
          var side = "A"

          public override func readableValue(forKey key: Swift.String) -> Any? {
            switch key {
            case "side":
              return self.side
            default:
              return super.readableValue(forKey: key)
            }
          }
        }
        """, conforms: true)
  }

  func testPropertiesOfExtensionsAreReadByTheMethodOfThePlugIn() {
    check(
      """
      @ReadableByKey
      class Single: Track {
        private func __readableInExtensions(forKey key: Swift.String, else rest: () -> Any?) -> Any? {
          rest()
        }
      }
      """,
      expandsTo: """
        class Single: Track {
          private func __readableInExtensions(forKey key: Swift.String, else rest: () -> Any?) -> Any? {
            rest()
          }

          override func readableValue(forKey key: Swift.String) -> Any? {
            switch key {
            default:
              return self.__readableInExtensions(forKey: key) {
                super.readableValue(forKey: key)
              }
            }
          }
        }
        """, conforms: true)
  }

  func testOnlyPropertiesThatAnInstanceCanReadAreRead() {
    check(
      """
      @ReadableByKey
      struct Track {
        static var count = 0
        lazy var cover = load()
        private var secret = 1
        var `default`: Int { 1 }
        var (a, b) = (1, 2)
        var observed = 1 { didSet {} }
        var both: Int { get { 1 } set {} }
        var waits: Int { get async { 1 } }
        var fails: Int { get throws { 1 } }
        var changes: Int { mutating get { 1 } }
        func method() {}
      }
      """,
      expandsTo: """
        struct Track {
          static var count = 0
          lazy var cover = load()
          private var secret = 1
          var `default`: Int { 1 }
          var (a, b) = (1, 2)
          var observed = 1 { didSet {} }
          var both: Int { get { 1 } set {} }
          var waits: Int { get async { 1 } }
          var fails: Int { get throws { 1 } }
          var changes: Int { mutating get { 1 } }
          func method() {}

          func readableValue(forKey key: Swift.String) -> Any? {
            switch key {
            case "secret":
              return self.secret
            case "default":
              return self.`default`
            case "a":
              return self.a
            case "b":
              return self.b
            case "observed":
              return self.observed
            case "both":
              return self.both
            default:
              return OpenPredicates.NoSuchKey.marker
            }
          }
        }

        extension Track: OpenPredicates.KeyValueReadable {
        }
        """)
  }

  func testConditionalMembersAreReadUnderTheirConditions() {
    check(
      """
      @ReadableByKey
      struct Track {
        #if DEBUG
        let note: String
        #else
        let year: Int
        #endif
      }
      """,
      expandsTo: """
        struct Track {
          #if DEBUG
          let note: String
          #else
          let year: Int
          #endif

          func readableValue(forKey key: Swift.String) -> Any? {
            switch key {
            #if (DEBUG)
            case "note":
              return self.note
            #endif
            #if !(DEBUG)
            case "year":
              return self.year
            #endif
            default:
              return OpenPredicates.NoSuchKey.marker
            }
          }
        }

        extension Track: OpenPredicates.KeyValueReadable {
        }
        """)
  }

  func testUnavailableMembersAndThoseOfActorsAreNotRead() {
    check(
      """
      @ReadableByKey
      struct Track {
        @MainActor var view = 1
        @available(*, unavailable, message: "gone") var old: Int { 1 }
        @available(iOS, unavailable) var year = 1990
        @available(*, deprecated) var side = "A"
      }
      """,
      expandsTo: """
        struct Track {
          @MainActor var view = 1
          @available(*, unavailable, message: "gone") var old: Int { 1 }
          @available(iOS, unavailable) var year = 1990
          @available(*, deprecated) var side = "A"

          func readableValue(forKey key: Swift.String) -> Any? {
            switch key {
            case "year":
              return self.year
            case "side":
              return self.side
            default:
              return OpenPredicates.NoSuchKey.marker
            }
          }
        }

        extension Track: OpenPredicates.KeyValueReadable {
        }
        """)
  }

  func testOfATypeOfAnActorNonisolatedMembersAreRead() {
    check(
      """
      @MainActor @ReadableByKey
      public final class Track {
        nonisolated let title: String
        var view = 1
      }
      """,
      expandsTo: """
        @MainActor
        public final class Track {
          nonisolated let title: String
          var view = 1

          nonisolated public func readableValue(forKey key: Swift.String) -> Any? {
            switch key {
            case "title":
              return self.title
            default:
              return OpenPredicates.NoSuchKey.marker
            }
          }
        }

        extension Track: OpenPredicates.KeyValueReadable {
        }
        """)
  }

  func testATypeOfAnActorWithoutNonisolatedMembersIsRefused() {
    check(
      "@ReadableByKey\n@MainActor struct Track {\n  var view = 1\n}",
      expandsTo: "@MainActor struct Track {\n  var view = 1\n}",
      diagnostics: [
        DiagnosticSpec(
          message:
            "'@ReadableByKey' reads on any thread, and this type belongs to an actor; declare the properties to "
            + "read 'nonisolated'", line: 1, column: 1)
      ])
  }

  func testOnlyClassesAndStructuresAreAccepted() {
    for keyword in ["enum", "actor", "extension", "protocol"] {
      check(
        "@ReadableByKey\n\(keyword) Track {\n}", expandsTo: "\(keyword) Track {\n}",
        diagnostics: [
          DiagnosticSpec(
            message: "'@ReadableByKey' can only be attached to a class or a structure", line: 1,
            column: 1)
        ])
    }
  }
}
