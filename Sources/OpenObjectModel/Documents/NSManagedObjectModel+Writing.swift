public import Foundation

extension NSManagedObjectModel {
  /// Writes the model in the form that the file extension names.
  ///
  /// An addition. `.xcdatamodel` is a document as Xcode writes it, `.xcdatamodeld` a folder of such versions,
  /// `.mom` a compiled model, `.momd` a folder of those. A folder of versions gets one version with the
  /// folder's name and makes it the current one; other versions in it stay.
  ///
  /// Documents always come out the same: entities and properties by name, four blanks for each level. What they
  /// cannot hold is refused, never left out: conditions without a place in documents, default values of
  /// transformable attributes, user info that is no text, sort orders of fetch requests, more than one version
  /// identifier. Settings of code generation are not part of a model; documents get Xcode's usual ones.
  ///
  /// - Parameter url: Where to write; replaced when it is there.
  /// - Throws: `ModelError` with code `.unarchivable` and entity and property of what cannot be written,
  ///   `.unwritable` when the place does not take it or the file extension is another one.
  /// > Concurrency: Like reading the model.
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
  /// An addition. Versions of the same names are replaced, others in the folder are left alone.
  ///
  /// - Parameters:
  ///   - versions: The versions by name, without file extension.
  ///   - current: The name of the current one, which has to be among them.
  ///   - url: The folder; made when there is none.
  /// - Throws: `ModelError` as `write(to:)`, and `.unwritable` for names that no file can have.
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

  /// The `contents` document of an `.xcdatamodel` folder, in UTF-8.
  ///
  /// An addition.
  ///
  /// - Throws: `ModelError` with code `.unarchivable` when the model holds what documents cannot.
  public func documentContents() throws(ModelError) -> Data { try ModelWriter.contents(of: self) }

  private class func unknownForm(_ url: URL) -> ModelError {
    ModelError(
      .unwritable,
      "Models are written as .xcdatamodel, .xcdatamodeld, .mom or .momd; choose one of these extensions.",
      path: url.path)
  }
}
