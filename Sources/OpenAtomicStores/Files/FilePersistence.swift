import Foundation
import OpenObjectModel
import OpenStoreContract
import Synchronization

/// Saves the contents of a memory store in a file.
///
/// Shared between threads. If another process or coordinator replaced or deleted the file after
/// this object read or wrote it, this object never overwrites the file, because the store has not
/// read the new contents.
final class FilePersistence: RowPersistence {
  let capabilities: StoreCapabilities = [.durable, .batchRequests, .uniquenessConstraints]
  private let file: AtomicFile
  private let format: any StoreFileFormat
  private let model: CompiledModel
  private let stamp: Mutex<AtomicFile.Stamp?>

  /// - Parameter file: The file, from which the caller has just read the contents of the store.
  init(_ file: AtomicFile, _ format: any StoreFileFormat, model: CompiledModel) {
    self.file = file
    self.format = format
    self.model = model
    stamp = Mutex(file.stamp)
  }

  func requireWritable() throws(StoreError) {
    try requireUnchanged()
    try file.requireWritable()
  }

  func write(
    _ contents: any StoreBackend, nextKeys: [Int: Int64], changes: ChangeSet
  ) throws(StoreError) {
    try requireUnchanged()
    try file.write(try format.data(of: contents, nextKeys: nextKeys, model: model))
    stamp.withLock { $0 = file.stamp }
  }

  private func requireUnchanged() throws(StoreError) {
    guard stamp.withLock({ $0 }) != file.stamp else { return }
    throw StoreError(
      .versionConflict,
      "The store's file was replaced or deleted since the store was opened. Remove the store and add it again; unsaved "
        + "changes can be saved then.", path: file.path)
  }

  func close() {}
}
