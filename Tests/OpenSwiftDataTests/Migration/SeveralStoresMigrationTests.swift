import Foundation
import OpenSwiftData
import Synchronization
import Testing

// Versions whose models are in two stores; each step changes the models of one store.

private enum Split1: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Task.self, Entry.self, Dropped.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }

  @Model final class Task {
    var title: String
    init(title: String) { self.title = title }
  }
  @Model final class Entry {
    var text: String
    init(text: String) { self.text = text }
  }
  @Model final class Dropped {
    var text: String = ""
    init() {}
  }
}

private enum Split2: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Task.self, Entry.self, Dropped.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }

  @Model final class Task {
    var title: String
    var short: String?
    init(title: String) { self.title = title }
  }
  @Model final class Entry {
    var text: String
    init(text: String) { self.text = text }
  }
  @Model final class Dropped {
    var text: String = ""
    init() {}
  }
}

private enum Split3: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Task.self, Entry.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }

  @Model final class Task {
    var title: String
    var short: String?
    init(title: String) { self.title = title }
  }
  @Model final class Entry {
    var text: String
    var length: Int = 0
    init(text: String) { self.text = text }
  }
}

private enum SplitPlan: SchemaMigrationPlan {
  static let log = Mutex<[String]>([])

  static var schemas: [any VersionedSchema.Type] { [Split1.self, Split2.self, Split3.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: Split1.self, toVersion: Split2.self, willMigrate: nil,
        didMigrate: { context in
          log.withLock { $0.append("tasks") }
          for task in try context.fetch(FetchDescriptor<Split2.Task>()) {
            task.short = String(task.title.prefix(1))
          }
          try context.save()
        }),
      .custom(
        fromVersion: Split2.self, toVersion: Split3.self, willMigrate: nil,
        didMigrate: { context in
          log.withLock { $0.append("entries") }
          for entry in try context.fetch(FetchDescriptor<Split3.Entry>()) {
            entry.length = entry.text.count
          }
          try context.save()
        }),
    ]
  }
}

@Suite("Migration of containers with several stores")
struct SeveralStoresMigrationTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func context(
    _ version: any VersionedSchema.Type, _ tasks: [any PersistentModel.Type],
    _ entries: [any PersistentModel.Type], _ plan: (any SchemaMigrationPlan.Type)? = nil
  ) throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: Schema(versionedSchema: version), migrationPlan: plan,
        configurations: ModelConfiguration(
          "tasks", schema: Schema(tasks), url: folder.file("tasks")),
        ModelConfiguration("entries", schema: Schema(entries), url: folder.file("entries"))))
  }

  private func fill() throws {
    let context = try context(
      Split1.self, [Split1.Task.self], [Split1.Entry.self, Split1.Dropped.self])
    context.insert(Split1.Task(title: "wash"))
    context.insert(Split1.Entry(text: "done"))
    context.insert(Split1.Dropped())
    try context.save()
  }

  private func last(_ plan: (any SchemaMigrationPlan.Type)?) throws -> ModelContext {
    try context(Split3.self, [Split3.Task.self], [Split3.Entry.self], plan)
  }

  @Test("each store runs the stages that change its models, with their code")
  func plan() throws {
    try fill()
    for _ in 1...2 {
      let context = try last(SplitPlan.self)
      #expect(try context.fetch(FetchDescriptor<Split3.Task>()).map(\.short) == ["w"])
      #expect(try context.fetch(FetchDescriptor<Split3.Entry>()).map(\.length) == [4])
      #expect(SplitPlan.log.withLock { $0 } == ["tasks", "entries"])
    }
    let context = try last(SplitPlan.self)
    context.insert(Split3.Task(title: "cook"))
    context.insert(Split3.Entry(text: "x"))
    try context.save()
    #expect(try last(nil).fetchCount(FetchDescriptor<Split3.Task>()) == 2)
  }

  @Test("without a plan, each store is migrated by inference")
  func inferred() throws {
    try fill()
    let context = try last(nil)
    #expect(try context.fetch(FetchDescriptor<Split3.Task>()).map(\.short) == [nil])
    #expect(try context.fetch(FetchDescriptor<Split3.Entry>()).map(\.length) == [0])
  }

  @Test("the next opening migrates a store that a migration has not reached yet")
  func partlyMigrated() throws {
    try fill()
    _ = try ModelContainer(
      for: Schema([Split3.Entry.self]),
      configurations: ModelConfiguration(url: folder.file("entries")))
    let context = try last(SplitOnlyPlan.self)
    #expect(try context.fetch(FetchDescriptor<Split3.Task>()).map(\.title) == ["wash"])
    #expect(try context.fetch(FetchDescriptor<Split3.Entry>()).map(\.text) == ["done"])
  }

  private enum SplitOnlyPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { SplitPlan.schemas }
    static var stages: [MigrationStage] {
      [
        .lightweight(fromVersion: Split1.self, toVersion: Split2.self),
        .lightweight(fromVersion: Split2.self, toVersion: Split3.self),
      ]
    }
  }
}
