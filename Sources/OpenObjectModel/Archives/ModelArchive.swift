package import Foundation

/// Reads and writes archives of models: `.mom` files, and the copy of the model in a store.
///
/// These archives are keyed archives. A store compresses the copy; this type handles uncompressed
/// data only.
package enum ModelArchive {
  /// The form of an archive.
  package enum Dialect: Sendable, Hashable {
    /// A file written by a model compiler, in which entities list only their own properties.
    case mom
    /// The copy in a store, in which entities also list inherited properties.
    case cache
  }

  /// Reads a model in either dialect.
  ///
  /// - Parameters:
  ///   - data: The archive, not compressed.
  ///   - path: The path of the archive, for error messages.
  /// - Returns: A model that is not in use yet.
  /// - Throws: `ModelError` with code `.malformed` if the archive is damaged, or with another code
  ///   if the model is invalid.
  /// > Concurrency: Usable on any thread; the model is confined to the caller.
  package static func read(
    _ data: Data, path: String
  ) throws(ModelError) -> NSManagedObjectModel {
    do {
      var reader = ModelArchiveReader()
      return try reader.model(try KeyedArchive(data).root())
    } catch {
      var located = error.ofArchive(of: "compiled model", remedy: "Compile the model again.")
      located.path = path
      throw located
    }
  }

  /// Writes a model; equal models produce equal bytes.
  ///
  /// - Parameters:
  ///   - model: The model, which may be in use.
  ///   - dialect: The form of the archive.
  /// - Returns: The archive, not compressed.
  /// - Throws: `ModelError` with code `.unarchivable` if archives cannot contain a part of the
  ///   model, such as a block predicate.
  /// > Concurrency: Call on a thread on which the model may be read.
  package static func write(
    _ model: NSManagedObjectModel, dialect: Dialect
  ) throws(ModelError) -> Data {
    var writer = ModelArchiveWriter(dialect)
    return try writer.data(model)
  }
}
