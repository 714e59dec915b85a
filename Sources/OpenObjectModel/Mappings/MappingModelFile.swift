package import Foundation

/// Reads mapping models from files: compiled mapping models, `.cdm`, and documents,
/// `.xcmappingmodel`.
package enum MappingModelFile {
  private static let greatestSizeInBytes = 64 << 20
  private static let greatestAncestorCount = 16

  /// Returns the entity mappings in a file, in order.
  ///
  /// - Parameter url: A `.cdm` file, or an `.xcmappingmodel` folder. The models of an
  ///   `.xcmappingmodel` folder must be in the same parent folder or in an enclosing folder.
  /// - Throws: `ModelError` with one of the following codes, or with another code if a model of the
  ///   document is invalid:
  ///   - `.unreadable`: The file cannot be read, or a model of the document is missing or cannot be
  ///     read.
  ///   - `.malformed`: The file or a model is damaged, the file is larger than 64 MiB, or the
  ///     document does not specify its models.
  ///   - `.unknownEntity`, `.unknownProperty` or `.missingName`: The document does not match the
  ///     models.
  package static func mappings(at url: URL) throws(ModelError) -> [EntityMappingRecord] {
    guard let document = try document(at: url) else { return try archive(at: url) }
    return try compile(
      document, at: url, from: try model(document.sourceModelPath, of: url, "source"),
      to: try model(document.destinationModelPath, of: url, "destination"))
  }

  /// Returns the entity mappings in a file, in order, for the given models.
  ///
  /// Only a document needs the models; a compiled mapping model is independent of the models.
  ///
  /// - Parameters:
  ///   - url: A `.cdm` file or an `.xcmappingmodel` folder.
  ///   - source: The source model.
  ///   - destination: The destination model.
  /// - Throws: `ModelError` with one of the following codes:
  ///   - `.unreadable`: The file cannot be read.
  ///   - `.malformed`: The file is damaged or larger than 64 MiB.
  ///   - `.unknownEntity`, `.unknownProperty` or `.missingName`: The document does not match the
  ///     models.
  package static func mappings(
    at url: URL, from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) throws(ModelError) -> [EntityMappingRecord] {
    guard let document = try document(at: url) else { return try archive(at: url) }
    return try compile(document, at: url, from: source, to: destination)
  }

  private static func compile(
    _ document: MappingDocument, at url: URL, from source: NSManagedObjectModel,
    to destination: NSManagedObjectModel
  ) throws(ModelError) -> [EntityMappingRecord] {
    do {
      return try MappingDocumentCompiler(document, from: source, to: destination).mappings()
    } catch {
      throw error.ofMappingModel(at: url.path)
    }
  }

  private static func archive(at url: URL) throws(ModelError) -> [EntityMappingRecord] {
    try MappingArchive.read(try data(at: url), path: url.path)
  }

  /// Returns the document of an `.xcmappingmodel` folder or of the `.xml` file in it; nil for a
  /// compiled mapping model.
  private static func document(at url: URL) throws(ModelError) -> MappingDocument? {
    switch url.pathExtension {
    case "xcmappingmodel":
      return try document(at: url.appendingPathComponent("xcmapping.xml"))
    case "xml": return try MappingDocument(try data(at: url), path: url.path)
    default: return nil
    }
  }

  private static func data(at url: URL) throws(ModelError) -> Data {
    let size: Int
    do {
      // Reading a pipe would block.
      let facts = try FileManager.default.attributesOfItem(
        atPath: url.resolvingSymlinksInPath().path)
      guard facts[.type] as? FileAttributeType == .typeRegular else {
        throw ModelError(.unreadable, "The mapping model is not a regular file.", path: url.path)
      }
      size = (facts[.size] as? NSNumber)?.intValue ?? 0
      guard size <= greatestSizeInBytes else {
        throw ModelError(.malformed, "The mapping model is larger than 64 MiB.", path: url.path)
      }
      return try Data(contentsOf: url)
    } catch let error as ModelError {
      throw error
    } catch {
      throw ModelError(
        .unreadable, "The mapping model cannot be read: \(error.localizedDescription)",
        path: url.path)
    }
  }

  // MARK: Models of documents

  /// Returns the model that a document names by its path in a project. The search begins in the
  /// nearest folder above the document, and leading folders of the path may be missing.
  private static func model(
    _ recorded: String?, of url: URL, _ role: String
  ) throws(ModelError) -> NSManagedObjectModel {
    guard let recorded else {
      throw ModelError(
        .malformed, "The mapping model does not specify its \(role) model. Save it again in Xcode.",
        path: url.path)
    }
    for candidate in candidates(recorded, of: url)
    where FileManager.default.fileExists(atPath: candidate.path) {
      return try NSManagedObjectModel.reading(candidate)
    }
    throw ModelError(
      .unreadable,
      "The \(role) model \(recorded) was found neither in the folder of the mapping model nor in an enclosing "
        + "folder. Add the model, or specify both models when you read the mapping model.",
      path: url.path)
  }

  private static func candidates(_ recorded: String, of url: URL) -> [URL] {
    let components = recorded.split(separator: "/").map(String.init).filter { $0 != ".." }
    let isVersion = components.dropLast().last?.hasSuffix(".xcdatamodeld") == true
    let shortest = isVersion ? 2 : 1
    guard components.count >= shortest else { return [] }
    var paths = stride(from: components.count, through: shortest, by: -1)
      .map { Array(components.suffix($0)) }
    if isVersion, let compiled = compiled(Array(components.suffix(2))) { paths.append(compiled) }
    var folder = url.standardizedFileURL.deletingLastPathComponent()
    var found: [URL] = []
    for _ in 0..<greatestAncestorCount {
      found += paths.map { path in path.reduce(folder) { $0.appendingPathComponent($1) } }
      let parent = folder.deletingLastPathComponent()
      if parent.path == folder.path { break }
      folder = parent
    }
    return found
  }

  /// Returns the path of the compiled form of a version in a folder of versions.
  private static func compiled(_ path: [String]) -> [String]? {
    guard let folder = path.first, let version = path.last, version.hasSuffix(".xcdatamodel")
    else { return nil }
    return [
      folder.replacing(".xcdatamodeld", with: ".momd"),
      version.replacing(".xcdatamodel", with: ".mom"),
    ]
  }
}
