public import Foundation
internal import OpenObjectModel
package import OpenStoreContract
internal import Synchronization

/// A store that a coordinator has opened.
///
/// > Concurrency: Usable on any thread.
/// > Reference: Apple, NSPersistentStore.
// Invariant of the unchecked conformance: immutable but for `state`, which is behind its lock.
open class NSPersistentStore: NSObject, @unchecked Sendable {
  package let backend: any StoreBackend
  let rowCache: RowCache
  /// Position in the coordinator that opened it.
  let position: Int
  /// Names the store in references to objects; the same for all stores of the process with its identifier.
  package var token: UInt32 { storeToken.number }
  private let storeToken: StoreToken
  /// The kind of store: `NSSQLiteStoreType`, `NSInMemoryStoreType`.
  public let type: String
  /// The configuration of the model that the store holds.
  public let configurationName: String
  /// The options it was opened with.
  public let options: [AnyHashable: Any]?
  /// Whether the store keeps a history of its changes.
  let keepsHistory: Bool
  private let location: URL?
  private let access: Bool
  private let state = Mutex(State())
  private let coordinator: WeakLink<NSPersistentStoreCoordinator>
  static let defaultConfigurationName = NSManagedObjectModel.defaultConfigurationName

  private struct State {
    var pending: PendingMetadata?
    var settings = 0
    /// Why the last read of the metadata failed; nil when it did not.
    var failure: StoreError?
  }

  init(
    backend: any StoreBackend, model: CompiledModel, type: String, url: URL?, isReadOnly: Bool,
    configurationName: String?, options: [AnyHashable: Any]?,
    coordinator: NSPersistentStoreCoordinator, position: Int
  ) {
    self.backend = backend
    keepsHistory = backend.history != nil
    self.position = position
    rowCache = RowCache(roots: model.entities.map(\.rootIndex))
    storeToken = StoreToken(backend.identifier)
    self.type = type
    self.configurationName = configurationName ?? Self.defaultConfigurationName
    self.options = options
    location = url
    access = isReadOnly
    self.coordinator = coordinator.link
    super.init()
    RemoteChanges.register(self)
  }

  /// The store's file; nil for a store without one.
  public var url: URL? { location }
  /// The store's UUID, part of every object id.
  public var identifier: String! { backend.identifier }
  /// Whether saves into the store fail.
  public var isReadOnly: Bool { access }
  /// The coordinator that opened the store.
  public var persistentStoreCoordinator: NSPersistentStoreCoordinator? { coordinator.target }

  /// Whether another store is this one, opened by another coordinator or at another time.
  func isSame(as other: NSPersistentStore) -> Bool {
    self === other || backend.identifier == other.backend.identifier
  }

  /// The store's metadata; what is set here is written by the next save of any context.
  ///
  /// If the metadata cannot be read, it has only the store's type and identifier. Setting it then makes the next save throw
  /// the error of the read, so that the save does not overwrite entries that the application has not seen.
  ///
  /// > Reference: Apple, metadata. Addition: the error of the save.
  public var metadata: [String: Any]! {
    get {
      var metadata: [String: Any] = [:]
      do throws(StoreError) {
        let pending = state.withLock { $0.pending }
        metadata = if let pending { pending.values } else { try backend.metadata() }
        state.withLock { $0.failure = nil }
      } catch {
        GraphLog.error("The metadata of \(name) cannot be read: \(error)")
        state.withLock { $0.failure = error }
      }
      metadata[NSStoreTypeKey] = type
      metadata[NSStoreUUIDKey] = identifier
      return metadata
    }
    set {
      let plain = (newValue ?? [:]).compactMapValues(PropertyListValue.plain)
      state.withLock { state in
        state.settings += 1
        state.pending = PendingMetadata(
          values: plain, number: state.settings, unread: state.failure)
      }
    }
  }

  /// The metadata to write with the next save.
  ///
  /// - Throws: `CocoaError` when the application set it without having seen the stored metadata; it is dropped then.
  func pendingMetadata() throws -> PendingMetadata? {
    let pending = state.withLock { $0.pending }
    guard let pending, let unread = pending.unread else { return pending }
    forget(pending)
    throw CocoaError.make(unread)
  }

  /// Forgets metadata that was written or dropped, unless the application has set it again meanwhile.
  func forget(_ metadata: PendingMetadata) {
    state.withLock { state in
      if state.pending?.number == metadata.number { state.pending = nil }
    }
  }

  // MARK: Writing

  /// What errors call the store.
  var name: String { location?.path ?? identifier }

  /// Throws when the store is open for reading only.
  func refuseReadOnly() throws {
    guard isReadOnly else { return }
    throw CocoaError.make(
      .persistentStoreSave, "The store is open for reading only; nothing was written.",
      path: location?.path)
  }

  /// Throws when the store could not take changes: it is open for reading only, closed, or its file is gone.
  func requireWritable() throws {
    try refuseReadOnly()
    do { try backend.requireWritable() } catch { throw CocoaError.make(error) }
  }
}

/// Metadata that the application set, and that the next save writes.
struct PendingMetadata {
  let values: StoreMetadata
  /// Counts the settings of one store.
  fileprivate let number: Int
  /// Why the entries that these ones replace could not be read.
  fileprivate let unread: StoreError?
}

/// The version of the framework's interface that the library follows: that of macOS 14 and iOS 17.
public let NSCoreDataVersionNumber = 1344.1

/// The type of a store in a SQLite file.
public let NSSQLiteStoreType = "SQLite"
/// The type of a store in memory.
public let NSInMemoryStoreType = "InMemory"
/// The key of a store's type in its metadata.
public let NSStoreTypeKey = "NSStoreType"
/// The key of a store's UUID in its metadata.
public let NSStoreUUIDKey = "NSStoreUUID"
/// The key of the version hashes of a store's entities, by name, in its metadata.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// The key of the identifiers of the model version that a store was made with, in its metadata.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// The option that opens a store for reading only.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// The option that limits the wait for locks, in seconds.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// The option with SQLite pragmas by name.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// The option that makes the statistics of a SQLite file anew when the store is added: SQLite chooses indexes by them.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// The option that gives the space of deleted rows back when the store is added, unless another process uses its file.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// The option that keeps a history of changes.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// The option that announces changes by other processes.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationPostOptionKey"
/// The option that migrates a store when it is opened with a newer model.
public let NSMigratePersistentStoresAutomaticallyOption =
  "NSMigratePersistentStoresAutomaticallyOption"
/// The option that lets a migration work out the mapping between two models.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// The option that opens a store even though another version of the model wrote it.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// The option that destroys or replaces a store even while others use it.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// The option whose value, a `StatementObserver`, is told of each statement. Addition.
public let OpenStatementObserverOption = "OpenStatementObserverOption"
