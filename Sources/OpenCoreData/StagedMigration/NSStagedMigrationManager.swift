public import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel
internal import OpenStoreContract
public import OpenMigration
internal import Synchronization

/// An object that migrates a store stage by stage when the store is opened.
///
/// ```swift
/// let manager = NSStagedMigrationManager([lightweight, custom])
/// description.setOption(manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
/// ```
///
/// Opening the store throws `CocoaError` 134504 if no stage contains the store's model version or
/// if the model of a stage is not found, and 134506 if the store is newer than the model.
///
/// > Concurrency: The handlers run on the thread that opens the store. Several threads may open
/// > stores with the same manager at the same time.
/// > Reference: Apple, NSStagedMigrationManager.
open class NSStagedMigrationManager: NSObject {
  /// The stages in the order in which they run.
  public let stages: [NSMigrationStage]
  /// A container with the store that is being migrated; nil if no handler of a stage is running.
  ///
  /// The container's model is the version that the store has while the handler runs.
  ///
  /// If handlers are running for several stores, the container belongs to the handler that was
  /// called last on the current thread. On a thread without a handler, the container belongs to the
  /// handler that was called last.
  ///
  /// The store is closed when the handler returns, so the handler must save its changes.
  open var container: NSPersistentContainer? {
    let thread = ObjectIdentifier(Thread.current)
    return runs.withLock { runs in
      (runs.last(where: { $0.thread == thread }) ?? runs.last)?.container
    }
  }

  /// A running handler: its container, and the thread on which it runs.
  private struct Run {
    let container: NSPersistentContainer
    let thread: ObjectIdentifier
  }

  /// The running handlers, in the order of the calls.
  private let runs = Mutex<[Run]>([])

  /// Creates a manager.
  ///
  /// - Parameter stages: The stages, starting with the oldest stage. If a stage does not start with
  ///   the version with which the previous stage ends, the library migrates the store between these
  ///   versions with an inferred mapping. If the array is empty, opening a store of another version
  ///   throws `CocoaError` 134504.
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
    let run = Run(container: container, thread: ObjectIdentifier(Thread.current))
    runs.withLock { $0.append(run) }
    defer { runs.withLock { $0.removeAll { $0.container === container } } }
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
