/// Goldens of `@Model`.
final class ModelMacroTests: ModelExpansionTestCase {
  func testAModelHasAnObjectASchemaAndAnInitializerForRows() {
    check(
      """
      @Model
      final class Story {
        @Attribute(.unique) var id: UUID
        var title: String = "untitled"
        @Relationship(deleteRule: .cascade, inverse: \\Page.story) var pages: [Page]

        init(id: UUID) {
          self.id = id
        }
      }
      """,
      expandsTo: """
        final class Story {
          @Attribute(.unique)
          @_PersistedProperty var id: UUID
          @_PersistedProperty
          var title: String = "untitled"
          @Relationship(deleteRule: .cascade, inverse: \\Page.story)
          @_PersistedProperty var pages: [Page]

          init(id: UUID) {
            self.id = id
          }

          @Transient @exclusivity(unchecked) private var _$link = __ModelLink()

          @Transient @exclusivity(unchecked) private var _$backingData = __ModelObject.make(for: Story.self)

          public var persistentBackingData: any __BackingData<Story> {
            get {
              __ModelBacking(__object)
            }
            set {
              __object = __ModelObject.make(from: newValue, replacing: __object)
            }
          }

          nonisolated var __object: __ModelObject {
            get {
              _$backingData
            }
            set {
              _$link.move(self, from: _$backingData, to: newValue)
              _$backingData = newValue
            }
          }

          nonisolated func __bind() {
            _$link.bind(self, to: __object)
          }

          static var schemaMetadata: [__Schema.PropertyMetadata] {
            [
              __Schema.PropertyMetadata(name: "id", keypath: \\Story.id, defaultValue: nil, metadata: __Schema.Attribute(.unique)),
              __Schema.PropertyMetadata(name: "title", keypath: \\Story.title, defaultValue: ("untitled" as String), metadata: nil),
              __Schema.PropertyMetadata(name: "pages", keypath: \\Story.pages, defaultValue: nil, metadata: __Schema.Relationship(deleteRule: .cascade, inverse: \\Page.story)),
            ]
          }

          init(__object object: __shared __ModelObject) {
            _id = _SwiftDataNoType()
            _title = _SwiftDataNoType()
            _pages = _SwiftDataNoType()
            if _$backingData !== object {
              _$backingData = object
            }
          }

          convenience init(backingData: any __BackingData<Story>) {
            self.init(__object: __ModelObject.make(from: backingData))
          }

          nonisolated func access<_M>(keyPath: Swift.KeyPath<Story, _M>) {
            __object.access(keyPath)
          }

          nonisolated func withMutation<_M, _R>(
            keyPath: Swift.KeyPath<Story, _M>, _ mutation: () throws -> _R
          ) rethrows -> _R {
            try __object.withMutation(keyPath, mutation)
          }

          nonisolated struct _SwiftDataNoType {
          }
        }

        extension Story: nonisolated __PersistentModel {
        }

        extension Story: nonisolated __RootModel {
        }

        extension Story: nonisolated __Observable {
        }

        @available(*, unavailable, message: "models are not Sendable: pass the persistentModelID, or use a ModelActor")
        extension Story: Swift.Sendable {
        }

        extension Story: nonisolated Swift.CustomReflectable {
        }

        extension Story: nonisolated Swift.CustomDebugStringConvertible {
        }
        """)
  }
}
