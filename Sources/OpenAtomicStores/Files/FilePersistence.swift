import Foundation
import OpenObjectModel
import OpenStoreContract
import Synchronization

/// Keeps the contents of a memory store in a file.
///
/// Shared. A file that something else replaced or deleted since it was read is never overwritten: what it holds now was
/// not seen here.
final class FilePersistence: RowPersistence {
  let capabilities: StoreCapabilities = [.durable, .batchRequests, .uniquenessConstraints]
  private let file: AtomicFile
  private let format: any StoreFileFormat
  private let model: CompiledModel
  private let stamp: Mutex<AtomicFile.Stamp?>

  /// - Parameter file: The file, just read.
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
