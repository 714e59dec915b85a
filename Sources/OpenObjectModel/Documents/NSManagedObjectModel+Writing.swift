public import Foundation

extension NSManagedObjectModel {
  /// Writes the model to a file or folder, in the format that the file extension specifies.
  ///
  /// The extensions specify the following formats:
  /// - `.xcdatamodel`: a model document in Xcode's format
  /// - `.xcdatamodeld`: a folder with versions of a model document
  /// - `.mom`: a compiled model
  /// - `.momd`: a folder with versions of a compiled model
  ///
  /// In a folder of versions, the method writes one version with the folder's name, and makes this
  /// version the current version. The method does not change other versions in the folder.
  ///
  /// Equal models produce equal documents: entities and properties are sorted by name, and each
  /// level is indented by four spaces. The method throws an error for content that documents cannot
  /// contain:
  /// - unsupported conditions
  /// - default values of transformable attributes
  /// - user info other than strings
  /// - sort descriptors of fetch requests
  /// - more than one version identifier
  ///
  /// A model does not contain settings for code generation, so the method writes Xcode's defaults
  /// for these settings.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter url: The destination. The method replaces an existing file.
  /// - Throws: `ModelError` with code `.unarchivable` if the format cannot contain a part of the
  ///   model; the error names the entity and the property. Throws `ModelError` with code
  ///   `.unwritable` if the destination cannot be written, or if the file extension is unknown.
  /// > Concurrency: Call this method on a thread on which the model may be read.
  public func write(to url: URL) throws(ModelError) {
    let name = url.deletingPathExtension().lastPathComponent
    switch url.pathExtension {
    case "xcdatamodel": try ModelFolderWriter.write(self, toVersion: url)
    case "xcdatamodeld", "momd": try Self.write([name: self], current: name, to: url)
    case "mom":
      let data = try ModelArchive.write(self, dialect: .mom)
      try ModelFolderWriter.writing(to: url) { try data.write(to: url, options: .atomic) }
    default: throw Self.unknownForm(url)
    }
  }

  /// Writes several versions of a model into an `.xcdatamodeld` or `.momd` folder.
  ///
  /// The method replaces versions with the same names, and does not change other versions in the
  /// folder.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - versions: The model of each version, keyed by the name of the version without a file
  ///     extension.
  ///   - current: The name of the current version, which must be a key of `versions`.
  ///   - url: The folder, which the method creates if it does not exist.
  /// - Throws: The same errors as ``write(to:)``. Also throws `ModelError` with code `.unwritable`
  ///   if a name is not a valid file name, or if `versions` does not contain the current version.
  public class func write(
    _ versions: [String: NSManagedObjectModel], current: String, to url: URL
  ) throws(ModelError) {
    try ModelFolderWriter.check(versions, current: current, url)
    switch url.pathExtension {
    case "xcdatamodeld": try ModelFolderWriter.write(versions, current: current, to: url)
    case "momd":
      let compiled = versions.sorted { $0.key < $1.key }.map { name, model in
        let hashes = model.entityVersionHashesByName
        return CompiledModelFolder.Version(
          name: name, model: model, entityHashes: hashes, checksum: checksum(of: hashes))
      }
      try CompiledModelFolder.write(compiled, current: current, to: url)
    default: throw unknownForm(url)
    }
  }

  /// Returns the model as the `contents` document of an `.xcdatamodel` folder, in UTF-8.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Throws: `ModelError` with code `.unarchivable` if the model has content that documents
  ///   cannot contain.
  public func documentContents() throws(ModelError) -> Data { try ModelWriter.contents(of: self) }

  private class func unknownForm(_ url: URL) -> ModelError {
    ModelError(
      .unwritable,
      "Models cannot be written with this file extension. Use .xcdatamodel, .xcdatamodeld, .mom or .momd.",
      path: url.path)
  }
}
