package import Foundation
package import OpenObjectModel
package import OpenStoreContract

/// A store's copy of its model in the table `Z_MODELCACHE`, as a compressed archive.
///
/// The copy describes the contents of a store whose model is otherwise unknown, and serves as the
/// source model of a migration.
package enum ModelCache {
  /// The maximum size of a decompressed archive in bytes. Typical archives have a few hundred
  /// kilobytes.
  private static let sizeLimit = 64 << 20

  /// Returns the model that a store's file was written with, without changing the file.
  ///
  /// - Parameter url: The URL of the store's file.
  /// - Returns: A model that can still be changed, or nil if the store contains no model.
  /// - Throws: `StoreError` with code `.missingFile` if the file does not exist, `.foreignFile` if
  ///   the file is not a store, `.corrupt` if the model is damaged, or another code if the file
  ///   cannot be read.
  /// > Concurrency: Callable from any thread. The model is confined to the caller.
  package static func model(
    inStoreAt url: URL
  ) throws(StoreError) -> NSManagedObjectModel? {
    let stored = try StoreReading.brieflyWithConnection(to: url) {
      (connection) throws(StoreError) -> Data? in
      try content(on: connection)
    }
    return try stored.map { (content) throws(StoreError) in
      try model(in: content, path: url.path)
    }
  }

  /// Returns the stored bytes, or nil if there are none.
  static func content(on connection: Connection) throws(StoreError) -> Data? {
    guard try FileTables.read(on: connection)["Z_MODELCACHE"]?.contains("Z_CONTENT") == true else {
      return nil
    }
    var content: Data?
    try connection.forEachRow("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1") { statement in
      content = statement.data(0)
    }
    return content?.isEmpty == true ? nil : content
  }

  /// Returns the model in stored bytes.
  static func model(in content: Data, path: String?) throws(StoreError) -> NSManagedObjectModel {
    do {
      let archive = try Deflate.inflate(content, limit: sizeLimit)
      return try ModelArchive.read(archive, path: path ?? "Z_MODELCACHE")
    } catch {
      throw StoreError(
        .corrupt, "The model cached in the store cannot be read. Use a model file instead.",
        path: path, underlying: error)
    }
  }

  /// Returns the content of the table for a model. Equal models result in equal bytes.
  ///
  /// - Returns: The content, or nil if the model contains something that cannot be archived, such
  ///   as a block predicate. Only tools need the copy, so the store works without it.
  static func content(of model: NSManagedObjectModel) -> Data? {
    guard let archive = try? ModelArchive.write(model, dialect: .cache) else { return nil }
    return try? Deflate.deflate(archive)  // fails only without memory
  }
}
