import COpenSQLite
package import Foundation
package import OpenStoreContract

/// Replaces a store with a copy of another store. The destination does not have to exist.
///
/// The copy has a temporary name and is renamed after it is complete and synchronized to disk. At
/// every moment, there is one complete store: the old store or the copy.
struct StoreReplacement {
  let source: StoreFiles
  let destination: StoreFiles
  let isForced: Bool
  let timeout: TimeInterval
  /// Whether the caller holds the destination's lock.
  var isLocked = false

  func run() throws(StoreError) {
    let lock = try lockDestination()
    defer { lock?.release() }
    let old = try replacedValues()
    let copy = try StoreDuplicate(of: source, for: destination, timeout: timeout)
    do throws(StoreError) {
      try takePlace(of: copy.path)
    } catch {
      copy.discard()
      throw error
    }
    for name in old.subtracting(copy.names) { ExternalFiles(destination).remove(name) }
    copy.settle()
  }

  private func lockDestination() throws(StoreError) -> StoreLock? {
    if isForced || isLocked { return nil }
    return try StoreLock(
      of: destination.main.path, for: .replace, besides: .noUsers, timeout: timeout)
  }

  /// Renames the copy while no other process uses the destination.
  private func takePlace(of copy: String) throws(StoreError) {
    let access = try exclusiveDestination()
    defer { access?.connection.close() }
    try destination.deleteSidecars()
    if isForced { try destination.deleteLock() }
    try FileSync.rename(copy, to: destination.main.path)
  }

  /// Opens the destination exclusively. The result is nil if there is nothing to lock: if there is
  /// no database, or if the replacement is forced.
  private func exclusiveDestination() throws(StoreError) -> ExclusiveAccess? {
    guard destination.exists, !isForced else { return nil }
    do throws(StoreError) {
      return try ExclusiveAccess(to: destination.main.path, timeout: timeout)
    } catch {
      if error.code == .corrupt || error.code == .foreignFile { return nil }
      throw error
    }
  }

  /// Returns the names of the replaced store's external files.
  ///
  /// The files are listed first, so that the result contains no file of a store or copy that uses
  /// the folder later.
  private func replacedValues() throws(StoreError) -> Set<String> {
    let present = try ExternalFiles(destination).names()
    switch destination.externalNames() {
    case .all: return present
    case .some(let names): return names
    }
  }
}

extension StoreReplacement {
  /// Creates the replacement; nil if the source is the destination itself.
  init?(
    of destination: StoreConfiguration, withStoreAt source: URL, isForced: Bool
  ) throws(StoreError) {
    guard let place = destination.url,
      StorePath.resolved(place.path) != StorePath.resolved(source.path)
    else { return nil }
    try StoreFile.requireRegularFiles(at: place.path)
    self.init(
      source: StoreFiles(resolving: source), destination: StoreFiles(resolving: place),
      isForced: isForced, timeout: destination.timeout)
  }
}

extension SQLiteStore {
  /// Replaces a store with a copy of another store, including rows in the write-ahead log and
  /// external values.
  ///
  /// The destination may be missing. The copy has the same identifier as the source, and the source
  /// is not changed. Copying a store to its own location does nothing.
  ///
  /// - Parameters:
  ///   - destination: The location of the copy, and the timeout for other processes.
  ///   - source: The URL of the source store's file.
  ///   - isForced: Whether to replace the destination even if it is in use.
  /// - Throws: `StoreError` with code `.missingFile` if the source does not exist, or with code
  ///   `.locked` if a connection has the destination open. Throws `StoreError` with another code if
  ///   the source cannot be read or the destination cannot be written.
  /// > Concurrency: Callable from any thread.
  package static func replace(
    _ destination: StoreConfiguration, withStoreAt source: URL, isForced: Bool
  ) throws(StoreError) {
    try StoreReplacement(of: destination, withStoreAt: source, isForced: isForced)?.run()
  }

  /// Writes a store's metadata immediately, without opening the store.
  ///
  /// The method keeps the entries that belong to the file, such as the version hashes, the store
  /// type and the identifier. Other values for these entries in `metadata` have no effect.
  ///
  /// - Parameters:
  ///   - metadata: The new metadata.
  ///   - configuration: The store's file, and the timeout for other processes.
  /// - Throws: `StoreError` with one of these codes: `.missingFile` if the file does not exist;
  ///   `.foreignFile` if the file is not a store; `.locked` if another process holds a lock for
  ///   longer than the timeout; `.unfitValue` if a property list cannot contain a value of the
  ///   metadata; another code if the file cannot be written.
  /// > Concurrency: Callable from any thread.
  package static func setMetadata(
    _ metadata: StoreMetadata, _ configuration: StoreConfiguration
  ) throws(StoreError) {
    guard let store = ClosedStore(configuration), store.exists else {
      throw StoreError(
        .missingFile, "The store file does not exist.",
        path: configuration.url.map { StorePath.resolved($0.path) })
    }
    try store.setMetadata(metadata)
  }

  /// Checkpoints a store and deletes its write-ahead log, so that the database file can be moved or
  /// copied without sidecar files.
  ///
  /// - Parameter configuration: The store's file.
  /// - Throws: `StoreError` with one of these codes: `.locked` if a connection has the store open;
  ///   `.foreignFile` if the file is not a database; `.obstructed` if the log belongs to another
  ///   database; another code if the file cannot be written.
  /// > Concurrency: Callable from any thread.
  package static func settle(_ configuration: StoreConfiguration) throws(StoreError) {
    try ClosedStore(configuration)?.settle()
  }

  /// Creates a new store that replaces the old store.
  ///
  /// No process can write to the old store during the operation: writers wait, or receive an error
  /// that names this process. The old store can be opened as read-only. Stores of this process that
  /// have the file open are closed, and remain closed if the operation then fails. If
  /// `configuration` has no URL, the method does nothing and does not call `make`.
  ///
  /// - Parameters:
  ///   - configuration: The store's file, and the timeout for processes that have the store open.
  ///   - place: The location of the new store, `.NAME.migrating` in the same folder. The file is
  ///     deleted at the end, or when the store is next opened.
  ///   - make: A closure that creates the new store from the old store.
  /// - Throws: The error of `make`; `StoreError` with code `.locked` if another process has the
  ///   store open, or if a state of a store of this process is pinned; `StoreError` with another
  ///   code if a file cannot be read or written. After an error, the old store is unchanged.
  /// > Concurrency: Callable from any thread.
  package static func rebuild(
    _ configuration: StoreConfiguration, at place: URL, _ make: () throws -> Void
  ) throws {
    try ClosedStore(configuration)?.rebuild(at: place, make)
  }
}
