package import Foundation

/// Compiled models: `.mom` files, and the copy of its model that a store keeps.
///
/// A namespace. Both are keyed archives; compression, which stores add, is not looked at here.
package enum ModelArchive {
  /// Which of the two forms an archive has.
  package enum Dialect: Sendable, Hashable {
    /// A file made by a model compiler: entities list their own properties only.
    case mom
    /// A store's copy: entities list inherited properties too.
    case cache
  }

  /// Reads a model in either dialect.
  ///
  /// - Parameters:
  ///   - data: The archive, not compressed.
  ///   - path: Where it comes from, for error messages.
  /// - Returns: A model that is not in use yet.
  /// - Throws: `ModelError` with code `.malformed`, or what is wrong with the model.
  /// > Concurrency: Any thread; the model is confined to the caller.
  package static func read(
    _ data: Data, path: String
  ) throws(ModelError) -> NSManagedObjectModel {
    do {
      var reader = ModelArchiveReader()
      return try reader.model(try KeyedArchive(data).root())
    } catch {
      var located = error
      located.path = path
      throw located
    }
  }

  /// Writes a model; equal models give equal bytes.
  ///
  /// - Parameters:
  ///   - model: The model; it may be in use.
  ///   - dialect: The form of the archive.
  /// - Returns: The archive, not compressed.
  /// - Throws: `ModelError` with code `.unarchivable` when a description holds what archives cannot, such
  ///   as a predicate that is a block.
  /// > Concurrency: Where the model may be read.
  package static func write(
    _ model: NSManagedObjectModel, dialect: Dialect
  ) throws(ModelError) -> Data {
    var writer = ModelArchiveWriter(dialect)
    return try writer.data(model)
  }
}
