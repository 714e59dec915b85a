import SwiftData

enum GuideV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Guide.self] }

  @Model
  final class Guide {
    var name: String
    init(name: String) { self.name = name }
  }
}

enum GuideV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Guide.self] }

  @Model
  final class Guide {
    @Attribute(originalName: "name") var title: String
    var pages: Int = 0
    init(title: String) { self.title = title }
  }
}

enum GuidePlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [GuideV1.self, GuideV2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(fromVersion: GuideV1.self, toVersion: GuideV2.self, willMigrate: nil) { context in
        for guide in try context.fetch(FetchDescriptor<GuideV2.Guide>()) { guide.pages = 1 }
        try context.save()
      }
    ]
  }
}

nonisolated func open() throws -> ModelContainer {
  try ModelContainer(
    for: Schema(versionedSchema: GuideV2.self), migrationPlan: GuidePlan.self,
    configurations: ModelConfiguration("guides"))
}
