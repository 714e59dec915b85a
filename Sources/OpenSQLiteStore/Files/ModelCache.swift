package import Foundation
package import OpenObjectModel
package import OpenStoreContract

/// The copy of its model that a store keeps in `Z_MODELCACHE`, as a compressed compiled model.
///
/// The model describes the contents of an unknown store and is the source model of a migration.
package enum ModelCache {
  /// Greatest size of an unpacked archive in bytes; real ones have some hundred kilobytes.
  private static let sizeLimit = 64 << 20

  /// Returns the model that a store's file was written with, without changing the file.
  ///
  /// - Parameter url: The URL of the store's file.
  /// - Returns: A model that is not yet in use, or nil if the store contains no model.
  /// - Throws: `StoreError` if the file is not a store or if the model is damaged.
  /// > Concurrency: Callable from any thread. The model is confined to the caller.
  package static func model(
    inStoreAt url: URL
  ) throws(StoreError) -> NSManagedObjectModel? {
    let stored = try StoreReading.withConnection(to: url) {
      (connection) throws(StoreError) -> Data? in
      try content(on: connection)
    }
    return try stored.map { (content) throws(StoreError) in
      try model(in: content, path: url.path)
    }
  }

  /// The stored bytes; nil for none.
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

  /// The model in stored bytes.
  static func model(in content: Data, path: String?) throws(StoreError) -> NSManagedObjectModel {
    do {
      let archive = try Deflate.inflate(content, limit: sizeLimit)
      return try ModelArchive.read(archive, path: path ?? "Z_MODELCACHE")
    } catch {
      throw StoreError(
        .corrupt, "The model kept in the store cannot be read; give the model by its own file.",
        path: path, underlying: error)
    }
  }

  /// What the table holds for a model; equal models give equal bytes.
  ///
  /// - Returns: nil for a model with something that archives cannot hold, such as a predicate that is a
  ///   block: stores without a copy are as good but for tools that look into them.
  static func content(of model: NSManagedObjectModel) -> Data? {
    guard let archive = try? ModelArchive.write(model, dialect: .cache) else { return nil }
    return try? Deflate.deflate(archive)  // fails only without memory
  }
}
