internal import Foundation
internal import OpenMigration
internal import OpenObjectGraph
internal import OpenObjectModel
internal import OpenStoreContract

/// Plans one step of a migration.
struct StepPlanning {
  let step: VersionChain.Step
  let source: StoreMigration.Version
  let destination: StoreMigration.Version
  let url: URL
  let type: String
  let options: [AnyHashable: Any]
  /// Whether the store already has the source version of the step, so that its rows can be counted.
  let isFirst: Bool

  func plan() throws -> MigrationPlan.Step {
    var plan = MigrationPlan.Step(
      source: source.name, destination: destination.name,
      kind: step.mapping == nil ? .inferred : .mapped, way: nil, reasons: [], statements: [],
      rewrittenRows: nil, bytesNeeded: nil, losses: [])
    if let mapping = step.mapping {
      do { try mapping.requirePolicies() } catch {
        plan.reasons.append(error.localizedDescription)
      }
      if isFirst { try addFacts(of: mapping, to: &plan) }
    } else {
      try addFacts(to: &plan)
    }
    return plan
  }

  /// Adds the facts that the store type reports for an inferred mapping.
  private func addFacts(to plan: inout MigrationPlan.Step) throws {
    guard let operations = try StoreTypes.opener(of: type).files?.migration else {
      if isFirst {
        let mapping = try NSMappingModel(
          migratingFrom: source.model, to: destination.model)
        try addFacts(of: mapping, to: &plan)
      }
      return
    }
    let facts =
      isFirst
      ? try self.facts(operations, url) : try withEmptyStore { try self.facts(operations, $0) }
    plan.way = facts.way
    plan.reasons = facts.reasons
    plan.statements = facts.statements
    plan.losses = facts.losses
    guard isFirst else { return }
    plan.rewrittenRows = facts.rewrittenRows
    plan.bytesNeeded = facts.bytesNeeded
  }

  private func facts(
    _ operations: StoreTypes.MigrationOperations, _ url: URL
  ) throws -> StoreMigrationPlan {
    let request = try Self.request(url: url, type: type, options: options, to: destination.model)
    return try LightweightMigration.plan(request, from: source.model, operations)
  }

  /// Passes the URL of a new, empty store of the source version to a closure. All steps after the
  /// first step are planned with an empty store.
  private func withEmptyStore<Result>(_ work: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("plan-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The system deletes files that remain in the temporary folder.
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = folder.appendingPathComponent("empty")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: source.model)
    let store = try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: place, options: nil)
    try coordinator.remove(store)
    return try work(place)
  }

  /// Adds the number of objects that a mapping copies, and the disk space that the new file needs.
  private func addFacts(of mapping: NSMappingModel, to plan: inout MigrationPlan.Step) throws {
    var options = options
    options[NSReadOnlyPersistentStoreOption] = true
    options[NSMigratePersistentStoresAutomaticallyOption] = nil
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: source.model)
    let store = try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: url, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let names = Set(
      (mapping.entityMappings ?? []).filter { $0.mappingType != .removeEntityMappingType }
        .compactMap(\.sourceEntityName))
    plan.rewrittenRows = try context.performAndWait {
      try names.reduce(0) { sum, name in
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.includesSubentities = false
        return sum + (try context.count(for: request))
      }
    }
    try coordinator.remove(store)
    let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber
    plan.bytesNeeded = size?.int64Value
  }

  /// Returns the request for migrating a store to the version with a given model.
  static func request(
    url: URL, type: String, options: [AnyHashable: Any], to model: NSManagedObjectModel
  ) throws -> StoreMigrationRequest {
    guard let files = try StoreTypes.opener(of: type).files else {
      throw CocoaError.migration("A store of type \(type) has no file and cannot be migrated.")
    }
    return try StoreMigrationRequest(
      type: type, url: url, configuration: StoreConfiguration(url: url, options: options),
      options: options, model: model.usable(), files: files)
  }
}
