import XCTest

/// Goldens of the key paths that `@ReadableByKey` lists.
final class KeyPathListTests: XCTestCase {
  func testKeyPathsAreListedUnderTheConditionsOfTheirProperties() {
    checkReadableByKey(
      """
      @ReadableByKey
      public struct Track {
        let `default`: String
        #if DEBUG
        let note: String
        #endif
      }
      """,
      expandsTo: """
        public struct Track {
          let `default`: String
          #if DEBUG
          let note: String
          #endif

          public func readableValue(forKey key: Swift.String) -> Any? {
            switch key {
            case "default":
              return self.`default`
            #if (DEBUG)
            case "note":
              return self.note
            #endif
            default:
              return OpenPredicates.NoSuchKey.marker
            }
          }

          public static func __keyPaths() -> [OpenPredicates.__NamedKeyPath] {
            var paths: [OpenPredicates.__NamedKeyPath] = []
            paths.append(.init("default", \\Track.`default`, \\Track?.?.`default`))
            #if (DEBUG)
            paths.append(.init("note", \\Track.note, \\Track?.?.note))
            #endif
            return paths
          }
        }

        extension Track: OpenPredicates.KeyValueReadable, OpenPredicates.__KeyPathListing {
        }
        """, lists: true)
  }

  func testAClassListsKeyPathsForItsSubclasses() {
    checkReadableByKey(
      """
      @ReadableByKey
      open class Track: NSObject {
        var title = "A"
      }
      """,
      expandsTo: """
        open class Track: NSObject {
          var title = "A"

          open func readableValue(forKey key: Swift.String) -> Any? {
            switch key {
            case "title":
              return self.title
            default:
              return OpenPredicates.NoSuchKey.marker
            }
          }

          open class func __keyPaths() -> [OpenPredicates.__NamedKeyPath] {
            return __keyPaths(ofType: Self.self)
          }

          private static func __keyPaths<Root: Track>(ofType type: Root.Type) -> [OpenPredicates.__NamedKeyPath] {
            var paths: [OpenPredicates.__NamedKeyPath] = []
            paths.append(.init("title", \\Root.title, \\Root?.?.title))
            return paths
          }
        }

        extension Track: OpenPredicates.KeyValueReadable, OpenPredicates.__KeyPathListing {
        }
        """, lists: true)
  }

  func testAManagedClassListsNoKeyPaths() {
    checkReadableByKey(
      """
      @ManagedObject @ReadableByKey
      final class Track: NSManagedObject {
        var title: String { "A" }
      }
      """,
      expandsTo: """
        @ManagedObject
        final class Track: NSManagedObject {
          var title: String { "A" }

          override func readableValue(forKey key: Swift.String) -> Any? {
            switch key {
            case "title":
              return self.title
            default:
              return super.readableValue(forKey: key)
            }
          }
        }
        """, conforms: true)
  }
}
