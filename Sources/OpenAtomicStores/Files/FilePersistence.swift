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
  private let timeout: TimeInterval
  private let stamp: Mutex<AtomicFile.Stamp?>

  /// - Parameters:
  ///   - file: The file of the store.
  ///   - stamp: The stamp of the contents that the caller has read from the file; nil if there was
  ///     no file.
  ///   - timeout: The maximum time that a save waits for other coordinators and processes that
  ///     replace the file, in seconds.
  init(
    _ file: AtomicFile, _ format: any StoreFileFormat, model: CompiledModel,
    stamp: AtomicFile.Stamp?, timeout: TimeInterval
  ) {
    self.file = file
    self.format = format
    self.model = model
    self.timeout = timeout
    self.stamp = Mutex(stamp)
  }

  func requireWritable() throws(StoreError) {
    try requireUnchanged()
    try file.requireWritable()
  }

  func write(
    _ contents: any StoreBackend, nextKeys: [Int: Int64], changes: ChangeSet
  ) throws(StoreError) {
    try requireUnchanged()
    // The readers of files reject greater keys.
    guard nextKeys.values.allSatisfy({ $0 <= StoreContents.greatestKey }) else {
      throw StoreError(
        .corrupt,
        "The store cannot assign keys to new objects because the last key in the file is damaged. Restore a backup.",
        path: file.path)
    }
    let data = try format.data(of: contents, nextKeys: nextKeys, model: model)
    let expected = stamp.withLock { $0 }
    let written = try file.write(data, replacing: expected, timeout: timeout)
    stamp.withLock { $0 = written }
  }

  private func requireUnchanged() throws(StoreError) {
    guard stamp.withLock({ $0 }) != file.stamp else { return }
    throw file.conflict
  }

  func close() {}
}
