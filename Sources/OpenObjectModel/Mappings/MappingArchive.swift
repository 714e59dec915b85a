package import Foundation

/// Reads and writes compiled mapping models, `.cdm` files.
///
/// The files are keyed archives of `NSMappingModel`. Classes named in a file are never
/// instantiated.
package enum MappingArchive {
  /// Returns the entity mappings of a mapping model, in the archived order.
  ///
  /// - Parameters:
  ///   - data: The archive.
  ///   - path: The path of the archive, for error messages.
  /// - Throws: `ModelError` with code `.malformed` if the data is not an archive of a mapping
  ///   model, or is damaged.
  /// > Concurrency: Usable on any thread; the result is confined to the caller.
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

  /// Returns the archive of a mapping model; equal mappings produce equal bytes.
  ///
  /// - Parameter mappings: The entity mappings in the order of execution.
  /// - Throws: `ModelError` with code `.unarchivable` if archives cannot contain an expression or a
  ///   value.
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
  /// Returns the error with the words for a mapping model, because errors of archives refer to
  /// models.
  func ofMappingModel(at path: String?) -> ModelError {
    var error = ofArchive(of: "mapping model", remedy: "Compile the mapping model again.")
    error.message = error.message.replacing(
      "The model cannot be", with: "The mapping model cannot be"
    ).replacing("A compiled model cannot", with: "A compiled mapping model cannot")
    error.path = path
    return error
  }
}
