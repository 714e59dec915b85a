package import Foundation

/// Compiled mapping models: `.cdm` files.
///
/// A namespace. They are keyed archives of `NSMappingModel`; no class named in a file is ever made.
package enum MappingArchive {
  /// Reads the entity mappings of a mapping model, in their order.
  ///
  /// - Parameters:
  ///   - data: The archive.
  ///   - path: Where it comes from, for error messages.
  /// - Throws: `ModelError` with code `.malformed` for data that is no archive of a mapping model, or a damaged one.
  /// > Concurrency: Any thread; the result is confined to the caller.
  package static func read(
    _ data: Data, path: String
  ) throws(ModelError) -> [EntityMappingRecord] {
    do {
      var reader = MappingArchiveReader()
      return try reader.mappings(try KeyedArchive(data).root())
    } catch {
      throw error.ofMappingModel(at: path)
    }
  }

  /// Writes a mapping model; equal mappings give equal bytes.
  ///
  /// - Parameter mappings: The entity mappings, in the order in which they are taken.
  /// - Throws: `ModelError` with code `.unarchivable` when an expression or a value has no form in archives.
  package static func write(_ mappings: [EntityMappingRecord]) throws(ModelError) -> Data {
    do {
      var writer = MappingArchiveWriter()
      return try writer.data(mappings)
    } catch {
      throw error.ofMappingModel(at: nil)
    }
  }
}

extension ModelError {
  /// The error as one of a mapping model: those of archives speak of models.
  func ofMappingModel(at path: String?) -> ModelError {
    var error = self
    error.message = message.replacing("The compiled model is", with: "The mapping model is")
      .replacing("Compile the model again.", with: "Compile the mapping model again.")
      .replacing("part of a compiled model", with: "part of a mapping model")
      .replacing("models that are compiled", with: "mapping models that are compiled")
    error.path = path
    return error
  }
}
