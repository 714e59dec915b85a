package import Foundation
package import OpenMemoryStore
package import OpenObjectModel
package import OpenStoreContract

/// Stores that are one file, read as a whole when they are opened and written as a whole by every save.
///
/// The rows are those of a memory store; this adds the file. A namespace.
package enum FileStore {
  /// Opens a store, or makes an empty one.
  ///
  /// A missing or an empty file is a new store, which is written at once.
  ///
  /// - Parameters:
  ///   - configuration: Where the file is; without one, or for `/dev/null`, the store is in memory only.
  ///   - model: The model of its rows.
  ///   - format: How the file is laid out.
  /// - Throws: `StoreError` for a file that is missing, no store, damaged, or of another version of the model.
  package static func open(
    _ configuration: StoreConfiguration, model: CompiledModel, as format: any StoreFileFormat
  ) throws(StoreError) -> MemoryStore {
    guard let url = configuration.url, url.path != "/dev/null" else {
      return try MemoryStore.open(configuration, model: model)
    }
    let match = ModelMatch(
      model: model, configurationName: configuration.configurationName, path: url.path)
    let file = AtomicFile(url)
    let data = try file.read()
    var contents: StoreContents
    if let data, !data.isEmpty {
      let metadata = try format.metadata(in: data, path: url.path)
      if !configuration.ignoresModelVersion { try match.requireVersions(in: metadata) }
      contents = try format.contents(of: data, model: model, path: url.path)
    } else {
      if configuration.isReadOnly {
        throw StoreError(
          .missingFile, "There is no store to open for reading only.", path: url.path)
      }
      contents = StoreContents(
        identifier: configuration.newIdentifier ?? UUID().uuidString, metadata: [:])
      contents.keySpace = format.keySpace
    }
    contents.metadata.merge(match.metadata()) { $1 }
    contents.metadata["NSStoreType"] = format.storeType
    let persistence = FilePersistence(file, format, model: model)
    let store = try MemoryStore.open(
      configuration, model: model, contents: contents, persistence: persistence)
    if data?.isEmpty ?? true {
      try persistence.write(store, nextKeys: contents.nextKeys, changes: ChangeSet())
    }
    return store
  }

  // MARK: Files that are not open

  /// Reads the metadata of a store, and changes nothing.
  ///
  /// - Throws: `StoreError` when the file is missing or no store.
  package static func metadata(
    of configuration: StoreConfiguration, as format: any StoreFileFormat
  ) throws(StoreError) -> StoreMetadata {
    let (data, path) = try existing(configuration)
    var metadata = try format.metadata(in: data, path: path)
    metadata["NSStoreType"] = format.storeType
    return metadata
  }

  /// Writes the metadata of a store, and keeps what belongs to the file.
  ///
  /// - Throws: `StoreError` when the file is missing, no store, or cannot be written.
  package static func setMetadata(
    _ metadata: StoreMetadata, of configuration: StoreConfiguration,
    as format: any StoreFileFormat
  ) throws(StoreError) {
    let (data, path) = try existing(configuration)
    let fixed = try format.metadata(in: data, path: path).filter { entry in
      ["NSStoreUUID", "NSStoreModelVersion", "NSPersistence"].contains { entry.key.hasPrefix($0) }
    }
    let changed = try format.replacing(metadata.merging(fixed) { $1 }, in: data, path: path)
    try AtomicFile(URL(fileURLWithPath: path)).write(changed)
  }

  /// Deletes the file of a store; a missing one is no error.
  ///
  /// - Throws: `StoreError` when the file cannot be deleted.
  package static func destroy(_ configuration: StoreConfiguration) throws(StoreError) {
    guard let url = configuration.url else { return }
    try AtomicFile(url).delete()
  }

  /// Replaces a store with a copy of another store; the destination need not exist.
  ///
  /// - Throws: `StoreError` without a source, for a source that is no store of the format, and when the file cannot be
  ///   written.
  package static func replace(
    _ configuration: StoreConfiguration, withStoreAt source: URL, as format: any StoreFileFormat
  ) throws(StoreError) {
    guard let url = configuration.url else { return }
    let (data, path) = try existing(StoreConfiguration(url: source))
    _ = try format.metadata(in: data, path: path)
    try AtomicFile(url).write(data)
  }

  private static func existing(
    _ configuration: StoreConfiguration
  ) throws(StoreError) -> (data: Data, path: String) {
    guard let url = configuration.url, let data = try AtomicFile(url).read() else {
      throw StoreError(
        .missingFile, "There is no store at this place.", path: configuration.url?.path)
    }
    if data.isEmpty {
      throw StoreError(.foreignFile, "The file is empty, and no store.", path: url.path)
    }
    return (data, url.path)
  }
}

/// How the file of a store is laid out. Stateless.
package protocol StoreFileFormat: Sendable {
  /// The type of stores with this layout.
  var storeType: String { get }
  /// How a new store numbers its objects.
  var keySpace: StoreContents.KeySpace { get }

  /// Reads the metadata alone, with the store's identifier.
  func metadata(in data: Data, path: String) throws(StoreError) -> StoreMetadata

  /// Reads everything.
  func contents(
    of data: Data, model: CompiledModel, path: String
  ) throws(StoreError) -> StoreContents

  /// The bytes of a file with everything in a store.
  func data(
    of contents: any StoreBackend, nextKeys: [Int: Int64], model: CompiledModel
  ) throws(StoreError) -> Data

  /// The bytes of a file with other metadata.
  func replacing(
    _ metadata: StoreMetadata, in data: Data, path: String
  ) throws(StoreError) -> Data
}

extension StoreFileFormat where Self == XMLStoreFormat {
  /// Apple's XML.
  package static var xml: XMLStoreFormat { XMLStoreFormat() }
}

extension StoreFileFormat where Self == BinaryStoreFormat {
  /// This library's binary property list.
  package static var binary: BinaryStoreFormat { BinaryStoreFormat() }
}
