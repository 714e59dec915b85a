import Foundation
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract
import Testing

@Suite("Random models and changes of them")
struct RandomMigrationTests {
  /// The number of pairs; the long run sets it.
  private static var count: Int {
    ProcessInfo.processInfo.environment["OPENCOREDATA_MIGRATIONS"].flatMap(Int.init) ?? 150
  }
  private static var first: Int {
    ProcessInfo.processInfo.environment["OPENCOREDATA_MIGRATION_SEED"].flatMap(Int.init) ?? 1
  }

  /// The folder in which migrated files are kept for inspection with other tools.
  private static var keptFolder: URL? {
    ProcessInfo.processInfo.environment["OPENCOREDATA_KEPT_MIGRATIONS"].map(
      URL.init(fileURLWithPath:))
  }

  @Test(
    "migration in place, by copy, to another file and object by object creates the expected rows"
  )
  func pairs() throws {
    var counts: [StoreMigrationPlan.Way: Int] = [:]
    var failures = 0
    for seed in Self.first..<Self.first + Self.count {
      do {
        let (way, differences) = try check(seed)
        if let way { counts[way, default: 0] += 1 }
        if !differences.isEmpty {
          failures += 1
          Issue.record("Seed \(seed): \(differences.prefix(6).joined(separator: "\n"))")
        }
      } catch {
        failures += 1
        Issue.record("Seed \(seed): \(error)")
      }
      if failures > 5 { return }
    }
    print("Ways: \(counts)")
    #expect((counts[.inPlace] ?? 0) > Self.count / 4)
    #expect((counts[.copy] ?? 0) > 0)
  }

  /// Checks one pair.
  ///
  /// - Returns: The planned way, nil for a change that is not legal; and what is wrong.
  private func check(_ seed: Int) throws -> (StoreMigrationPlan.Way?, [String]) {
    var numbers = Seeded(seed)
    let model = RandomModel.random(using: &numbers)
    let next = model.changed(using: &numbers)
    let (old, new) = (model.make(), next.make())
    let store = try MigratedStore()
    do { _ = try store.transition(old, new) } catch is InferenceError { return (nil, []) }
    let before = try store.withContext(old) { context in
      try model.fill(context, using: &numbers)
      context.reset()
      return try StoreImage(model, in: context)
    }
    let expected = before.changed(from: model, to: next)
    let identifier = try store.sqlite("SELECT Z_UUID FROM Z_METADATA")
    let other = try MigratedStore()
    try store.copy(to: other)
    try Self.keep(other.file, as: "\(seed)-source")
    let place = store.folder.appendingPathComponent("copy.sqlite")
    let plan = try store.plan(old, new)
    var configuration = store.configuration
    configuration.url = place
    try SQLiteStore.migrateCopy(
      of: store.configuration, to: configuration, store.transition(old, new))
    let managed = store.folder.appendingPathComponent("managed.sqlite")
    try Self.migrateByObjects(store.file, to: managed, old, new)
    try store.migrate(old, new, by: plan.way)
    try other.migrate(old, new, by: .copy)
    var wrong: [String] = []
    let schema = try store.newSchema(new)
    for (name, store, url) in [
      ("planned (\(plan.way))", store, store.file), ("copy", other, other.file),
      ("elsewhere", store, place),
    ] {
      let image = try store.withContext(new, at: url) { try StoreImage(next, in: $0) }
      wrong += image.differences(from: expected).map { "\(name): \($0)" }
      wrong += Self.difference(try store.schema(at: url), schema).map { "\(name): \($0)" }
      wrong += try store.damage(new, at: url).map { "\(name): \($0)" }
      try Self.keep(url, as: "\(seed)-\(name)")
      if try store.sqlite("SELECT Z_UUID FROM Z_METADATA", at: url) != identifier {
        wrong.append("\(name): another identifier")
      }
    }
    let image = try store.withContext(new, at: managed) { try StoreImage(next, in: $0) }
    let objects = image.named(as: expected).withoutChoices(model, next)
    wrong += objects.differences(from: expected.withoutChoices(model, next)).map {
      "by objects: \($0)"
    }
    return (plan.way, wrong)
  }

  private static func keep(_ file: URL, as name: String) throws {
    guard let folder = keptFolder else { return }
    let kept = folder.appendingPathComponent("\(name).sqlite")
    try FileManager.default.copyItem(at: file, to: kept)
  }

  /// Migrates with the inferred mapping, object by object.
  static func migrateByObjects(
    _ source: URL, to destination: URL, _ old: NSManagedObjectModel, _ new: NSManagedObjectModel
  ) throws {
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: old, destinationModel: new)
    let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
    manager.usesStoreSpecificMigrationManager = false
    try manager.migrateStore(
      from: source, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
      toDestinationURL: destination, destinationType: NSSQLiteStoreType, destinationOptions: nil)
  }

  private static func difference(_ one: [String], _ other: [String]) -> [String] {
    // Renamed tables have their names in quotation marks.
    let plain = { (texts: [String]) in Set(texts.map { $0.filter { $0 != "\"" } }) }
    let (ours, wanted) = (plain(one), plain(other))
    return ours.subtracting(wanted).map { "unexpected: \($0)" }
      + wanted.subtracting(ours).map { "missing: \($0)" }
  }
}
