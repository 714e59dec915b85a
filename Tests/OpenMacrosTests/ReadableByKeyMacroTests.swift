import OpenMacros
import SwiftSyntaxMacrosGenericTestSupport
import XCTest

/// Goldens of the expansions and errors of `@ReadableByKey`.
final class ReadableByKeyMacroTests: XCTestCase {
  func testStructure() {
    checkReadableByKey(
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
      checkReadableByKey(
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
    checkReadableByKey(
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

          public override class func __keyPaths() -> [OpenPredicates.__NamedKeyPath] {
            return __keyPaths(ofType: Self.self) + super.__keyPaths()
          }

          private static func __keyPaths<Root: Single>(ofType type: Root.Type) -> [OpenPredicates.__NamedKeyPath] {
            var paths: [OpenPredicates.__NamedKeyPath] = []
            paths.append(.init("side", \\Root.side, \\Root?.?.side))
            return paths
          }
        }
        """, conforms: true)
  }

  func testPropertiesOfExtensionsAreReadByTheMethodOfThePlugIn() {
    checkReadableByKey(
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
    checkReadableByKey(
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
    checkReadableByKey(
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
    checkReadableByKey(
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
    checkReadableByKey(
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
    checkReadableByKey(
      "@ReadableByKey\n@MainActor struct Track {\n  var view = 1\n}",
      expandsTo: "@MainActor struct Track {\n  var view = 1\n}",
      diagnostics: [
        DiagnosticSpec(
          message:
            "'@ReadableByKey' reads properties on any thread, but this type is isolated to an actor; declare the "
            + "properties to be read as 'nonisolated'", line: 1, column: 1)
      ])
  }

  func testOnlyClassesAndStructuresAreAccepted() {
    for keyword in ["enum", "actor", "extension", "protocol"] {
      checkReadableByKey(
        "@ReadableByKey\n\(keyword) Track {\n}", expandsTo: "\(keyword) Track {\n}",
        diagnostics: [
          DiagnosticSpec(
            message: "'@ReadableByKey' can only be attached to a class or a structure", line: 1,
            column: 1)
        ])
    }
  }
}
