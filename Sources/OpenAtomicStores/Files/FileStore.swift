package import Foundation
package import OpenMemoryStore
package import OpenObjectModel
package import OpenStoreContract

/// Operations on stores that read their complete file when they are opened, and write their
/// complete file with every save.
///
/// While a store is open, a `MemoryStore` contains its rows.
package enum FileStore {
  /// Opens a store, or creates an empty store.
  ///
  /// If the file is missing or empty, the method creates a new store and writes the file
  /// immediately. If another coordinator or process creates the store at the same time, the method
  /// opens that store.
  ///
  /// - Parameters:
  ///   - configuration: The location of the file and the options. If the location is nil or
  ///     `/dev/null`, the store exists only in memory.
  ///   - model: The model of the store.
  ///   - format: The format of the file.
  /// - Returns: The open store.
  /// - Throws: `StoreError` if the store cannot be opened, for example with one of the following
  ///   codes:
  ///   - `.missingFile`: The store is read-only, and the file is missing or empty.
  ///   - `.foreignFile`: The file is not a store of the format.
  ///   - `.corrupt`: The file is damaged.
  ///   - `.incompatibleSchema`: The file was written with another version of the model, and the
  ///     configuration does not ignore versions.
  package static func open(
    _ configuration: StoreConfiguration, model: CompiledModel, as format: any StoreFileFormat
  ) throws(StoreError) -> MemoryStore {
    guard let url = configuration.url, url.path != "/dev/null" else {
      return try MemoryStore.open(configuration, model: model)
    }
    let file = AtomicFile(url)
    if !configuration.isReadOnly { file.removeUnfinishedStore() }
    return try AtomicFile.retrying { () throws(StoreError) in
      try open(file, at: url, configuration, model: model, as: format)
    }
  }

  private static func open(
    _ file: AtomicFile, at url: URL, _ configuration: StoreConfiguration, model: CompiledModel,
    as format: any StoreFileFormat
  ) throws(StoreError) -> MemoryStore {
    let match = ModelMatch(
      model: model, configurationName: configuration.configurationName, path: url.path)
    let old = try file.read()
    var contents: StoreContents
    if let data = old?.data, !data.isEmpty {
      let metadata = try format.metadata(in: data, path: url.path)
      if !configuration.ignoresModelVersion { try match.requireVersions(in: metadata) }
      contents = try format.contents(of: data, model: model, path: url.path)
    } else {
      if configuration.isReadOnly {
        throw StoreError(
          .missingFile,
          "The store file does not exist, and cannot be created because the store is opened for reading only.",
          path: url.path)
      }
      contents = StoreContents(
        identifier: configuration.newIdentifier ?? UUID().uuidString, metadata: [:])
      contents.keySpace = format.keySpace
    }
    contents.metadata.merge(match.metadata()) { $1 }
    contents.metadata["NSStoreType"] = format.storeType
    let persistence = FilePersistence(
      file, format, model: model, stamp: old?.stamp, timeout: configuration.timeout)
    let store = try MemoryStore.open(
      configuration, model: model, contents: contents, persistence: persistence)
    if old?.data.isEmpty ?? true {
      try persistence.write(store, nextKeys: contents.nextKeys, changes: ChangeSet())
    }
    return store
  }

  // MARK: Files that are not open

  /// Reads the metadata of a store without opening the store.
  ///
  /// - Parameters:
  ///   - configuration: The location of the file.
  ///   - format: The format of the file.
  /// - Returns: The metadata, including the store's identifier and type.
  /// - Throws: `StoreError` with one of the following codes:
  ///   - `.missingFile`: The file is missing.
  ///   - `.foreignFile`: The file is empty or is not a store of the format.
  ///   - `.corrupt`: The file is damaged.
  ///   - `.obstructed`: The path does not refer to a regular file.
  ///   - `.permission` or `.inputOutput`: The system does not allow or cannot complete the read.
  package static func metadata(
    of configuration: StoreConfiguration, as format: any StoreFileFormat
  ) throws(StoreError) -> StoreMetadata {
    let (contents, path) = try existing(configuration)
    var metadata = try format.metadata(in: contents.data, path: path)
    metadata["NSStoreType"] = format.storeType
    return metadata
  }

  /// Checks that the complete file of a store can be parsed. The check does not need a model.
  ///
  /// - Parameters:
  ///   - configuration: The location of the file.
  ///   - format: The format of the file.
  /// - Throws: The same errors as ``metadata(of:as:)``.
  package static func check(
    _ configuration: StoreConfiguration, as format: any StoreFileFormat
  ) throws(StoreError) {
    let (contents, path) = try existing(configuration)
    try format.check(contents.data, path: path)
  }

  /// Replaces the metadata of a store without opening the store.
  ///
  /// The file keeps its own entries for the identifier, the model version and the framework
  /// version.
  ///
  /// - Parameters:
  ///   - metadata: The new metadata.
  ///   - configuration: The location of the file, and the maximum time to wait for a save that
  ///     is in progress.
  ///   - format: The format of the file.
  /// - Throws: The same errors as ``metadata(of:as:)``. Also throws `StoreError` if the file cannot
  ///   be written, for example with one of the following codes:
  ///   - `.unfitValue`: A property list cannot contain a value of the metadata.
  ///   - `.locked`: Another coordinator or process is still saving the store after the timeout.
  package static func setMetadata(
    _ metadata: StoreMetadata, of configuration: StoreConfiguration,
    as format: any StoreFileFormat
  ) throws(StoreError) {
    try AtomicFile.retrying { () throws(StoreError) -> Void in
      let (contents, path) = try existing(configuration)
      let fixed = try format.metadata(in: contents.data, path: path).filter { entry in
        ["NSStoreUUID", "NSStoreModelVersion", "NSPersistence"].contains { entry.key.hasPrefix($0) }
      }
      let changed = try format.replacing(
        metadata.merging(fixed) { $1 }, in: contents.data, path: path)
      _ = try AtomicFile(URL(fileURLWithPath: path)).write(
        changed, replacing: contents.stamp, timeout: configuration.timeout)
    }
  }

  /// Deletes the file of a store, even if the file is damaged; does nothing if the file does not
  /// exist.
  ///
  /// - Parameters:
  ///   - configuration: The location of the file, and the maximum time to wait for a save that
  ///     is in progress.
  ///   - format: The format of the file.
  /// - Throws: `StoreError` with code `.foreignFile` if the file is not a store of this format, or
  ///   `.locked` if another coordinator or process is still saving or migrating the store after the
  ///   timeout; `.obstructed`, `.permission` or `.inputOutput` if the file cannot be read or
  ///   deleted.
  package static func destroy(
    _ configuration: StoreConfiguration, as format: any StoreFileFormat
  ) throws(StoreError) {
    guard let url = configuration.url else { return }
    let file = AtomicFile(url)
    // A save between its check of the file and its rename would bring the store back.
    guard let lock = try FileLock.wait(forFileAt: file.path, timeout: configuration.timeout) else {
      return
    }
    defer { lock.release() }
    if let data = try file.read()?.data, !data.isEmpty {
      do throws(StoreError) {
        _ = try format.metadata(in: data, path: url.path)
      } catch {
        if error.code == .foreignFile { throw error }
        guard error.code == .corrupt, data.starts(with: format.signature) else {
          throw StoreError(
            .foreignFile,
            "The file is not a store of the type \(format.storeType), so it was not deleted.",
            path: url.path)
        }
      }
    }
    try file.delete()
  }

  /// Replaces a store with a copy of another store; the destination does not have to exist.
  ///
  /// - Parameters:
  ///   - configuration: The location of the copy, and the maximum time to wait for a save that
  ///     is in progress.
  ///   - source: The URL of the store to copy.
  ///   - format: The format of both stores.
  /// - Throws: `StoreError` if a file cannot be read or written, for example with one of the
  ///   following codes:
  ///   - `.missingFile`: The source is missing.
  ///   - `.foreignFile`: The source is not a store of the format.
  ///   - `.corrupt`: The source is damaged.
  ///   - `.locked`: Another coordinator or process is still saving the destination after the
  ///     timeout.
  package static func replace(
    _ configuration: StoreConfiguration, withStoreAt source: URL, as format: any StoreFileFormat
  ) throws(StoreError) {
    guard let url = configuration.url else { return }
    let (contents, path) = try existing(StoreConfiguration(url: source))
    _ = try format.metadata(in: contents.data, path: path)
    let file = AtomicFile(url)
    try AtomicFile.retrying { () throws(StoreError) -> Void in
      _ = try file.write(contents.data, replacing: file.stamp, timeout: configuration.timeout)
    }
  }

  /// Replaces the file of a store with the file of a new store that a closure creates.
  ///
  /// During the operation, other coordinators and processes can open the old store. Saves of the
  /// old store wait. If the replacement succeeds, these saves then fail, because the file was
  /// replaced. If `configuration` has no URL, the method does nothing and does not call `make`.
  ///
  /// - Parameters:
  ///   - configuration: The store's file, and the maximum time to wait for a save that
  ///     is in progress.
  ///   - place: The location of the new store: `.NAME.migrating` in the same folder, where `NAME`
  ///     is the name of the store's file. If the process is killed, the new file is deleted when
  ///     the store is next migrated or opened for writing.
  ///   - make: A closure that creates the new store from the old store. The closure must not save
  ///     the old store.
  /// - Throws: The error of `make`, or `StoreError` if the new store cannot replace the old store.
  ///   After an error, the old store is unchanged. The `StoreError` has, for example, one of the
  ///   following codes:
  ///   - `.missingFile`: The old store does not exist.
  ///   - `.locked`: Another coordinator or process is still saving the old store after the timeout.
  ///   - `.versionConflict`: Another program has replaced the old store.
  package static func rebuild(
    _ configuration: StoreConfiguration, at place: URL, _ make: () throws -> Void
  ) throws {
    guard let url = configuration.url else { return }
    let (file, new) = (AtomicFile(url), AtomicFile(place))
    guard let lock = try FileLock.wait(forFileAt: file.path, timeout: configuration.timeout) else {
      throw StoreError(.missingFile, "The store file does not exist.", path: file.path)
    }
    defer { lock.release() }
    let stamp = file.stamp
    try new.delete()
    do {
      try make()
      _ = try file.replace(with: new, expecting: stamp)
    } catch {
      // The first error is more useful.
      try? new.delete()
      throw error
    }
  }

  private static func existing(
    _ configuration: StoreConfiguration
  ) throws(StoreError) -> (contents: AtomicFile.Contents, path: String) {
    guard let url = configuration.url, let contents = try AtomicFile(url).read() else {
      throw StoreError(
        .missingFile, "The store file does not exist.", path: configuration.url?.path)
    }
    if contents.data.isEmpty {
      throw StoreError(.foreignFile, "The file is empty, so it is not a store.", path: url.path)
    }
    return (contents, url.path)
  }
}

/// The format of a store's file.
///
/// Formats have no state.
package protocol StoreFileFormat: Sendable {
  /// The type of stores with this format.
  var storeType: String { get }
  /// The first bytes of all files with this format.
  var signature: Data { get }
  /// Whether the entities of a new store share one sequence of keys, or each root entity has its
  /// own.
  var keySpace: StoreContents.KeySpace { get }

  /// Returns the metadata in a file, including the store's identifier.
  ///
  /// - Parameters:
  ///   - data: The contents of the file.
  ///   - path: The path of the file, for error messages.
  /// - Throws: `StoreError` with code `.foreignFile` if the file is not a store of this format, or
  ///   `.corrupt` if the file is damaged.
  func metadata(in data: Data, path: String) throws(StoreError) -> StoreMetadata

  /// Checks that the complete file can be parsed.
  ///
  /// - Parameters:
  ///   - data: The contents of the file.
  ///   - path: The path of the file, for error messages.
  /// - Throws: The same errors as `metadata(in:path:)`.
  func check(_ data: Data, path: String) throws(StoreError)

  /// Returns the complete contents of a file.
  ///
  /// - Parameters:
  ///   - data: The bytes of the file.
  ///   - model: The model of the store.
  ///   - path: The path of the file, for error messages.
  /// - Throws: The same errors as `metadata(in:path:)`; `StoreError` with code
  ///   `.incompatibleSchema` if the file contains an entity or a property that the model does not
  ///   have, or `.unsupported` if the format cannot represent the model.
  func contents(
    of data: Data, model: CompiledModel, path: String
  ) throws(StoreError) -> StoreContents

  /// Returns the bytes of a file with the complete contents of a store.
  ///
  /// - Parameters:
  ///   - contents: The store to write.
  ///   - nextKeys: The first unused key of each root entity, keyed by the entity's position in the
  ///     model.
  ///   - model: The model of the store.
  /// - Throws: `StoreError` with code `.unfitValue` if a property list cannot contain a value of
  ///   the metadata, or `.unsupported` if the format cannot represent the model; the error of
  ///   `contents` if the store cannot be read.
  func data(
    of contents: any StoreBackend, nextKeys: [Int: Int64], model: CompiledModel
  ) throws(StoreError) -> Data

  /// Returns the bytes of a file in which the given metadata replaces the current metadata.
  ///
  /// - Parameters:
  ///   - metadata: The new metadata.
  ///   - data: The contents of the file.
  ///   - path: The path of the file, for error messages.
  /// - Throws: The same errors as `metadata(in:path:)`, or `StoreError` with code `.unfitValue` if
  ///   a property list cannot contain a value of the metadata.
  func replacing(
    _ metadata: StoreMetadata, in data: Data, path: String
  ) throws(StoreError) -> Data
}

extension StoreFileFormat where Self == XMLStoreFormat {
  /// The XML format of Apple's framework.
  package static var xml: XMLStoreFormat { XMLStoreFormat() }
}

extension StoreFileFormat where Self == BinaryStoreFormat {
  /// This library's format, which is a binary property list.
  package static var binary: BinaryStoreFormat { BinaryStoreFormat() }
}
