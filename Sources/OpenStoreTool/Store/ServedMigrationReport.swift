import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenPersistenceKit
import OpenStoreContract

/// A migration of a store on a server, whose results are rows for the output of a command.
///
/// The migration runs in one transaction, and creates no backup.
package struct ServedMigrationReport {
  private let url: URL
  private let source: NSManagedObjectModel
  private let destination: NSManagedObjectModel
  private let versions: [NSManagedObjectModel]
  /// The mapping model of the migration; nil for an inferred mapping.
  private let mapping: NSMappingModel?
  private let names: (source: String, destination: String)
  private let allowsLoss: Bool

  /// Prepares the migration of the store at a URL; returns nil if the store is a file.
  ///
  /// - Parameters:
  ///   - path: The URL of the store, or the path of a store file.
  ///   - modelPath: The path of a folder with model versions, or of one model version.
  ///   - version: The name of the target version; nil for the current version.
  ///   - allowsLoss: Whether the migration may drop data of a store whose model is not one of the
  ///     versions.
  /// - Throws: `ToolError` with status `.unreadable` if the store, a model or a mapping model
  ///   cannot be read, or if the store has none of the versions. Throws `ToolError` with status
  ///   `.usage` if there is no version with the given name, if the store is newer than the target
  ///   version, or if a mapping model requires a migration to another version first. Also throws
  ///   the errors of ``InspectedStore/url(at:)``.
  package init?(
    storeAt path: String, modelAt modelPath: String, to version: String?, allowsLoss: Bool = false
  ) throws {
    let url = try InspectedStore.url(at: path)
    if url.isFileURL { return nil }
    let model = URL(fileURLWithPath: modelPath)
    let steps = try MigrationReport.steps(of: url, model)
    let wanted = version ?? steps.current
    guard let destination = steps.versions.first(where: { $0.name == wanted }) else {
      throw ToolError(.usage, "\(modelPath): There is no version named \(wanted).")
    }
    let hashes = try MetadataFacts(url).hashes
    guard
      let position = steps.versions.firstIndex(where: {
        $0.model.entityVersionHashesByName == hashes
      })
    else {
      throw ToolError(
        .unreadable,
        "\(InspectedStore.name(of: url)): The store was not created with any of these model versions."
      )
    }
    let source = steps.versions[position]
    guard steps.versions[position...].contains(where: { $0.name == wanted }) else {
      throw ToolError(
        .usage,
        "\(InspectedStore.name(of: url)): The store has the version \(source.name), which is newer than \(wanted). A store cannot be "
          + "migrated to an older version.")
    }
    self.url = url
    self.source = source.model
    self.destination = destination.model
    mapping = try Self.mapping(
      over: Array(steps.versions[position...].prefix { $0.name != wanted }) + [destination],
      MigrationReport.mappings(beside: model))
    versions = steps.versions.map(\.model)
    names = (source.name, destination.name)
    self.allowsLoss = allowsLoss
  }

  /// Returns the mapping model from the first to the last of several versions; nil to infer the
  /// mapping.
  ///
  /// - Throws: `ToolError` if a mapping model connects other versions. An inferred mapping would
  ///   lose the values that this mapping model converts.
  private static func mapping(
    over versions: [StoreMigration.Version], _ mappings: [NSMappingModel]
  ) throws -> NSMappingModel? {
    func mapping(_ source: Int, _ destination: Int) -> NSMappingModel? {
      mappings.first {
        $0.isMapping(from: versions[source].model, to: versions[destination].model)
      }
    }
    let last = versions.count - 1
    guard last > 0 else { return nil }
    if let direct = mapping(0, last) { return direct }
    for source in 0..<last {
      for destination in (source + 1)...last where mapping(source, destination) != nil {
        let next = versions[source == 0 ? destination : source].name
        throw ToolError(
          .usage,
          "A mapping model connects the versions \(versions[source].name) and \(versions[destination].name), but a store on a "
            + "server is migrated in one step. Migrate the store to the version \(next) first, with --to."
        )
      }
    }
    return nil
  }

  private var options: [AnyHashable: Any] {
    [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true, OpenModelVersionsOption: versions,
      NSPersistentStoreTimeoutOption: 2,
    ]
  }

  /// A message if the store already has the target version; otherwise, nil.
  package var completeness: String? {
    source.entityVersionHashesByName == destination.entityVersionHashesByName
      ? "\(InspectedStore.name(of: url)): The store already has the version \(names.destination).\n"
      : nil
  }

  /// Returns one row that describes the migration or, if `showsStatements` is true, one row for
  /// each SQL statement.
  ///
  /// The result is empty if the store already has the target version, or if `showsStatements` is
  /// true and a mapping model converts the values.
  ///
  /// - Throws: `ToolError` with status `.unreadable` if the migration cannot be planned;
  ///   `CocoaError` 134110 if a model is invalid; another `CocoaError` if the metadata of the store
  ///   cannot be read.
  package func plan(showsStatements: Bool) throws -> [[OutputValue.Field]] {
    if let mapping, completeness == nil { return showsStatements ? [] : [row(of: mapping)] }
    guard let plan = try migrationPlan() else { return [] }
    if showsStatements { return plan.statements.map { [.init("statement", .text($0))] } }
    return [row(of: plan)]
  }

  private func row(of plan: StoreMigrationPlan) -> [OutputValue.Field] {
    [
      .init("from", .text(names.source)), .init("to", .text(names.destination)),
      .init("way", .text(plan.way.rawValue)),
      .init("rows", .integer(Int64(plan.rewrittenRows))),
      .init("lost", .text(plan.losses.map(MigrationReport.text).joined(separator: ", "))),
      .init("why", .text(plan.reasons.joined(separator: " "))),
    ]
  }

  private func row(of mapping: NSMappingModel) -> [OutputValue.Field] {
    // As in plans for files, a missing policy is the reason why the migration would fail.
    var reason = ""
    do { try mapping.requirePolicies() } catch { reason = error.localizedDescription }
    return [
      .init("from", .text(names.source)), .init("to", .text(names.destination)),
      .init("way", .text("objects")), .init("rows", .null), .init("lost", .text("")),
      .init("why", .text(reason)),
    ]
  }

  private func migrationPlan() throws -> StoreMigrationPlan? {
    guard completeness == nil, let (request, operations) = try request() else { return nil }
    return try ToolError.reporting(InspectedStore.name(of: url)) {
      try LightweightMigration.plan(request, from: source, operations)
    }
  }

  /// Returns the request for the migration, and the operations of the store's type; nil if the type
  /// does not support migration.
  private func request() throws -> (StoreMigrationRequest, StoreTypes.MigrationOperations)? {
    let type = StoreTypes.type(NSSQLiteStoreType, at: url)
    guard let files = try StoreTypes.opener(of: type).files, let operations = files.migration
    else { return nil }
    let request = try StoreMigrationRequest(
      type: type, url: url, configuration: StoreConfiguration(url: url, options: options),
      options: options, model: destination.usable(), files: files)
    return (request, operations)
  }

  /// Migrates the store.
  ///
  /// - Returns: One row for the step; an empty array if the store already has the target version.
  /// - Throws: `ToolError` with status `.usage` if `allowsLoss` is false, the store's model is not
  ///   one of the versions, and the migration would drop data; `ToolError` with status
  ///   `.unreadable` if the migration fails; `CocoaError` 134110 if a model is invalid; another
  ///   `CocoaError` if the metadata of the store cannot be read.
  package func run() throws -> [[OutputValue.Field]] {
    if let mapping { return try run(mapping) }
    guard let plan = try migrationPlan() else { return [] }
    if !allowsLoss {
      try MigrationReport.requireNoLoss(
        InspectedStore.name(of: url), from: names.source, plan.losses.filter { $0.rowCount > 0 })
    }
    try ToolError.reporting(InspectedStore.name(of: url)) {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destination)
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
      try coordinator.remove(store)
    }
    return [row(of: plan)]
  }

  private func run(_ mapping: NSMappingModel) throws -> [[OutputValue.Field]] {
    guard completeness == nil, let (request, _) = try request() else { return [] }
    try ToolError.reporting(InspectedStore.name(of: url)) {
      try ReplacingMigration(request, from: source, mapping).run()
    }
    return [row(of: mapping)]
  }

  /// Adds the tables and columns that the target version needs. Programs with the store's current
  /// version can still use the store.
  ///
  /// - Returns: One row for the step; an empty array if the store already has the target version.
  /// - Throws: `ToolError` with status `.usage` if a mapping model converts the values, or with
  ///   status `.unreadable` if the change fails; `CocoaError` 134110 if a model is invalid; another
  ///   `CocoaError` if the metadata of the store cannot be read.
  package func expand() throws -> [[OutputValue.Field]] {
    guard completeness == nil, let (request, operations) = try request() else { return [] }
    guard mapping == nil else {
      throw ToolError(
        .usage,
        "A mapping model converts the values of this migration. Migrate the store without --expand."
      )
    }
    try ToolError.reporting(InspectedStore.name(of: url)) {
      try LightweightMigration.expand(request, from: source, operations)
    }
    return [
      [
        .init("from", .text(names.source)), .init("to", .text(names.destination)),
        .init("way", .text(StoreMigrationPlan.Way.expand.rawValue)),
      ]
    ]
  }
}
