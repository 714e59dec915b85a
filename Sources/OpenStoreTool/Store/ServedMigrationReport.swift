import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenPersistenceKit
import OpenStoreContract

/// The migration of a store on a server, in one transaction and without a backup, as rows.
package struct ServedMigrationReport {
  private let url: URL
  private let source: NSManagedObjectModel
  private let destination: NSManagedObjectModel
  private let versions: [NSManagedObjectModel]
  private let names: (source: String, destination: String)

  /// Prepares the migration of the store at a URL; nil for a store that is a file.
  ///
  /// - Parameters:
  ///   - modelPath: The folder of the versions, or one version.
  ///   - version: The target version; nil for the current one.
  /// - Throws: `ToolError` when the store or the model cannot be read.
  package init?(storeAt path: String, modelAt modelPath: String, to version: String?) throws {
    let url = try InspectedStore.url(at: path)
    if url.isFileURL { return nil }
    let steps = try MigrationReport.steps(of: url, URL(fileURLWithPath: modelPath))
    let wanted = version ?? steps.current
    guard let destination = steps.versions.first(where: { $0.name == wanted }) else {
      throw ToolError(.usage, "\(modelPath): There is no version \(wanted).")
    }
    let hashes = try MetadataFacts(url).hashes
    guard let source = steps.versions.first(where: { $0.model.entityVersionHashesByName == hashes })
    else {
      throw ToolError(
        .unreadable,
        "\(InspectedStore.name(of: url)): The store was written with none of the versions.")
    }
    self.url = url
    self.source = source.model
    self.destination = destination.model
    versions = steps.versions.map(\.model)
    names = (source.name, destination.name)
  }

  private var options: [AnyHashable: Any] {
    [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true, OpenModelVersionsOption: versions,
      NSPersistentStoreTimeoutOption: 2,
    ]
  }

  /// What to say of a store that has the version already; nil for another one.
  package var completeness: String? {
    source.entityVersionHashesByName == destination.entityVersionHashesByName
      ? "\(InspectedStore.name(of: url)): The store has the version \(names.destination) already.\n"
      : nil
  }

  /// What the migration would do, a row, or a row for each statement.
  package func plan(showsStatements: Bool) throws -> [[OutputValue.Field]] {
    guard completeness == nil, let (request, operations) = try request() else { return [] }
    let plan = try MigrationReport.reporting(InspectedStore.name(of: url)) {
      try LightweightMigration.plan(request, from: source, operations)
    }
    if showsStatements { return plan.statements.map { [.init("statement", .text($0))] } }
    return [
      [
        .init("from", .text(names.source)), .init("to", .text(names.destination)),
        .init("way", .text(plan.way.rawValue)),
        .init("rows", .integer(Int64(plan.rewrittenRows))),
        .init("lost", .text(plan.losses.map(MigrationReport.text).joined(separator: ", "))),
        .init("why", .text(plan.reasons.joined(separator: " "))),
      ]
    ]
  }

  /// The request for the migration, and what the store's type does with it; nil if the type has no migration.
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
  /// - Returns: The step, a row; none for a store that has the version already.
  package func run() throws -> [[OutputValue.Field]] {
    let rows = try plan(showsStatements: false)
    guard !rows.isEmpty else { return [] }
    try MigrationReport.reporting(InspectedStore.name(of: url)) {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destination)
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
      try coordinator.remove(store)
    }
    return rows
  }

  /// Adds what the version has and the store has not, so that programs with the store's version keep using it.
  ///
  /// - Returns: The step, a row; none for a store that has the version already.
  package func expand() throws -> [[OutputValue.Field]] {
    guard completeness == nil, let (request, operations) = try request() else { return [] }
    try MigrationReport.reporting(InspectedStore.name(of: url)) {
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
