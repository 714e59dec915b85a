import Foundation
import OpenAtomicStores
import OpenMemoryStore
import OpenObjectModel
import OpenStoreConformance
import OpenStoreContract
import Synchronization
import Testing

/// Single-file stores whose file is replaced at the worst moments. The stores write notes to their
/// metadata.
@Suite("Single-file stores do not overwrite each other's saves")
final class FileStoreRaceTests {
  static let formats: [any StoreFileFormat] = [XMLStoreFormat.xml, BinaryStoreFormat.binary]

  private let folder: URL
  private let url: URL
  private let model: CompiledModel

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("atomic-race-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appendingPathComponent("store")
    model = try StoreConformance.model()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func open(_ format: any StoreFileFormat) throws -> MemoryStore {
    try FileStore.open(StoreConfiguration(url: url), model: model, as: format)
  }

  /// Returns the note in the file.
  private func note(_ format: any StoreFileFormat) throws -> String? {
    try open(format).metadata()["note"] as? String
  }

  /// Saves a note, which must fail because the file was replaced.
  private func saveInVain(_ store: MemoryStore) {
    let error = #expect(throws: StoreError.self) { try save("first", in: store) }
    #expect(error?.code == .versionConflict)
  }

  /// Returns a closure that opens the file as a second store and saves a note in it.
  private func otherSave(
    _ format: any StoreFileFormat
  ) -> @Sendable () throws(StoreError) -> Void {
    let (url, model) = (self.url, self.model)
    return { () throws(StoreError) in
      let store = try FileStore.open(StoreConfiguration(url: url), model: model, as: format)
      try save("second", in: store)
    }
  }

  @Test("a store whose file is replaced while it is being read is not saved", arguments: formats)
  func replacedWhileReading(_ format: any StoreFileFormat) throws {
    _ = try open(format)
    let store = try open(InterruptedFormat(format: format, afterReading: otherSave(format)))
    saveInVain(store)
    #expect(try note(format) == "second")
  }

  @Test("a store whose file is replaced during a save is not saved", arguments: formats)
  func replacedWhileSaving(_ format: any StoreFileFormat) throws {
    _ = try open(format)
    let store = try open(InterruptedFormat(format: format, beforeWriting: otherSave(format)))
    saveInVain(store)
    #expect(try note(format) == "second")
  }

  @Test("a save whose store is closed while the file is written succeeds", arguments: formats)
  func closedWhileSaving(_ format: any StoreFileFormat) throws {
    _ = try open(format)
    let saving = SavingStore()
    let store = try open(InterruptedFormat(format: format, beforeWriting: { saving.close() }))
    saving.store.withLock { $0 = store }
    try save("first", in: store)
    #expect(try note(format) == "first")
    let error = #expect(throws: StoreError.self) { try save("second", in: store) }
    #expect(error?.code == .closed)
  }

  @Test("destroying a store waits for a migration, and does not interrupt it", arguments: formats)
  func destroyedWhileMigrating(_ format: any StoreFileFormat) throws {
    _ = try open(format)
    let place = folder.appendingPathComponent(".store.migrating")
    let configuration = configuration(timeout: 0)
    try FileStore.rebuild(configuration, at: place) {
      let new = try FileStore.open(StoreConfiguration(url: place), model: model, as: format)
      try save("migrated", in: new)
      let error = #expect(throws: StoreError.self) {
        try FileStore.destroy(configuration, as: format)
      }
      #expect(error?.code == .locked)
    }
    #expect(try note(format) == "migrated")
    try FileStore.destroy(configuration, as: format)
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  private func configuration(timeout: TimeInterval) -> StoreConfiguration {
    var configuration = StoreConfiguration(url: url)
    configuration.timeout = timeout
    return configuration
  }

  @Test("a new store does not replace a store created at the same time", arguments: formats)
  func createdMeanwhile(_ format: any StoreFileFormat) throws {
    let store = try open(InterruptedFormat(format: format, beforeWriting: otherSave(format)))
    #expect(try store.metadata()["note"] as? String == "second")
    #expect(try note(format) == "second")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["store"])
  }
}

private func save(_ note: String, in store: MemoryStore) throws(StoreError) {
  var changes = ChangeSet()
  changes.metadata = ["note": note]
  _ = try store.commit(&changes)
}

/// A store that is closed during its save.
private final class SavingStore: Sendable {
  let store = Mutex<MemoryStore?>(nil)

  func close() { store.withLock { $0 }?.close() }
}

/// A format with closures that run after a file was read, and before a file is written.
private struct InterruptedFormat: StoreFileFormat {
  let format: any StoreFileFormat
  var afterReading: @Sendable () throws(StoreError) -> Void = { () throws(StoreError) in }
  var beforeWriting: @Sendable () throws(StoreError) -> Void = { () throws(StoreError) in }

  var storeType: String { format.storeType }
  var signature: Data { format.signature }
  var keySpace: StoreContents.KeySpace { format.keySpace }

  func metadata(in data: Data, path: String) throws(StoreError) -> StoreMetadata {
    try format.metadata(in: data, path: path)
  }

  func check(_ data: Data, path: String) throws(StoreError) {
    try format.check(data, path: path)
  }

  func contents(
    of data: Data, model: CompiledModel, path: String
  ) throws(StoreError) -> StoreContents {
    let contents = try format.contents(of: data, model: model, path: path)
    try afterReading()
    return contents
  }

  func data(
    of contents: any StoreBackend, nextKeys: [Int: Int64], model: CompiledModel
  ) throws(StoreError) -> Data {
    try beforeWriting()
    return try format.data(of: contents, nextKeys: nextKeys, model: model)
  }

  func replacing(
    _ metadata: StoreMetadata, in data: Data, path: String
  ) throws(StoreError) -> Data {
    try format.replacing(metadata, in: data, path: path)
  }
}
