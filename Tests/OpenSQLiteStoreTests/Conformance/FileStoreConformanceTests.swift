import Foundation
import OpenAtomicStores
import OpenMemoryStore
import OpenObjectModel
import OpenStoreConformance
import OpenStoreContract
import Synchronization
import Testing

@Suite("Stores in one file pass the conformance suite")
struct FileStoreConformanceTests {
  @Test("the XML store conforms", arguments: StoreConformance.checks)
  func xml(_ check: StoreConformance.Check) throws {
    let folder = try StoreFolder()
    try check.run(folder.store("XML", as: .xml))
  }

  @Test("the binary store conforms", arguments: StoreConformance.checks)
  func binary(_ check: StoreConformance.Check) throws {
    let folder = try StoreFolder()
    try check.run(folder.store("binary", as: .binary))
  }

  @Test("they select the same rows as the memory store after the same edits", arguments: [1, 2, 3])
  func agree(_ seed: UInt64) throws {
    let folder = try StoreFolder()
    let memory = StoreUnderTest(name: "memory") { model in
      try MemoryStore.open(StoreConfiguration(url: nil), model: model)
    }
    for store in [folder.store("XML", as: .xml), folder.store("binary", as: .binary)] {
      try StoreConformance.compare(seed: seed, edits: 60, memory, store)
    }
  }
}

/// A folder for stores in files, which is deleted with the test.
private final class StoreFolder: Sendable {
  private let url: URL
  private let files = Mutex<[ObjectIdentifier: URL]>([:])

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("atomic-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func store(_ name: String, as format: some StoreFileFormat) -> StoreUnderTest {
    StoreUnderTest(
      name: "\(name) file",
      open: { model in
        try self.open(self.url.appendingPathComponent(UUID().uuidString), model, format)
      },
      reopen: { store, model in
        let file = try #require(self.files.withLock { $0[ObjectIdentifier(store)] })
        store.close()
        return try self.open(file, model, format)
      })
  }

  private func open(
    _ file: URL, _ model: CompiledModel, _ format: some StoreFileFormat
  ) throws -> any StoreBackend {
    let store = try FileStore.open(StoreConfiguration(url: file), model: model, as: format)
    files.withLock { $0[ObjectIdentifier(store)] = file }
    return store
  }
}
