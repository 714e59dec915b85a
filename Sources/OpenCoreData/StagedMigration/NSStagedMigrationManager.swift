public import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel
internal import OpenStoreContract
public import OpenMigration

/// An object that migrates a store stage by stage when the store is opened.
///
/// ```swift
/// let manager = NSStagedMigrationManager([lightweight, custom])
/// description.setOption(manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
/// ```
///
/// > Concurrency: Used by the thread that opens the store. The handlers run on this thread.
/// > Reference: Apple, NSStagedMigrationManager.
open class NSStagedMigrationManager: NSObject {
  /// The stages in the order in which they run.
  public let stages: [NSMigrationStage]
  /// A container with the store that is being migrated; nil if no handler of a stage is running.
  ///
  /// The container's model is the version that the store has while the handler runs.
  ///
  /// The store is closed when the handler returns, so the handler must save its changes.
  open private(set) var container: NSPersistentContainer?

  /// Creates a manager.
  ///
  /// - Parameter stages: The stages, starting with the oldest stage. If a stage does not start with
  ///   the version with which the previous stage ends, the library migrates the store between these
  ///   versions with an inferred mapping.
  public init(_ stages: [NSMigrationStage]) {
    self.stages = stages
    super.init()
  }

  /// Returns whether the metadata of a store records that a `didMigrateHandler` was not completed.
  package static func hasBegunStage(in metadata: [String: Any]) -> Bool {
    metadata[StageRun.pendingKey] != nil
  }

  /// Runs a handler with a container for the store of a request.
  func withContainer(
    _ model: NSManagedObjectModel, _ request: StoreMigrationRequest, _ handler: () throws -> Void
  ) throws {
    let container = NSPersistentContainer(
      name: request.url.deletingPathExtension().lastPathComponent, managedObjectModel: model)
    let coordinator = container.persistentStoreCoordinator
    let store = try coordinator.addPersistentStore(
      ofType: request.type, configurationName: request.configuration.configurationName,
      at: request.url, options: request.openingOptions)
    self.container = container
    defer { self.container = nil }
    do { try handler() } catch {
      // The error of the handler takes precedence over an error of this call.
      try? coordinator.remove(store)
      throw error
    }
    try coordinator.remove(store)
  }
}

extension NSStagedMigrationManager: StagedMigrating {
  package func migrate(_ request: StoreMigrationRequest) throws {
    try StageRun(self, request).run()
  }

  package func resume(_ request: StoreMigrationRequest) throws {
    try StageRun(self, request).resume()
  }
}
