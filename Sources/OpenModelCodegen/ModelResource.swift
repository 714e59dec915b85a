public import Foundation
internal import OpenObjectModel

/// A type that compiles model documents, as Xcode does for the resources of a target.
///
/// The command `opencoredata-codegen`, which the build plug-in `ModelCodegen` runs, uses this type.
///
/// > Concurrency: A value type; usable on any thread.
/// > Reference: Apple, NSManagedObjectModel, init(contentsOf:), which reads compiled models.
public struct ModelResource: Sendable {
  /// Writes a model document as `.momd`, a single version as `.mom`, or a mapping model as `.cdm`.
  ///
  /// For equal models, the method writes equal files. The method does not rewrite a file whose
  /// contents would not change. If the result is an existing `.momd` folder, the method removes the
  /// files that do not belong to the result, such as versions that the document no longer contains.
  /// The method removes no files from a folder with another extension. If the current version
  /// cannot be read, the method throws an error. The method omits any other version that cannot be
  /// read.
  ///
  /// - Parameters:
  ///   - url: An `.xcdatamodeld`, `.xcdatamodel` or `.xcmappingmodel` folder. The method searches
  ///     the parent folders of an `.xcmappingmodel` folder for the models to which the mapping
  ///     model refers.
  ///   - result: The URL of the file or folder to write or update.
  /// - Returns: A compiler warning for each omitted version, with the reason; empty if the method
  ///   omits no version.
  /// - Throws: `CodegenError` with code `.unreadableModel` if a model or mapping model cannot be
  ///   read, is invalid or cannot be compiled, or if the result cannot be written. The error
  ///   contains the path and, if known, the line, the entity and the property.
  public static func write(modelAt url: URL, to result: URL) throws(CodegenError) -> [String] {
    do throws(ModelError) {
      if url.pathExtension == "xcmappingmodel" {
        try update(result, try MappingArchive.write(MappingModelFile.mappings(at: url)))
        return []
      }
      if url.pathExtension != "xcdatamodeld" {
        try update(result, try ModelArchive.write(NSManagedObjectModel.reading(url), dialect: .mom))
        return []
      }
      return try writeFolder(url, result)
    } catch {
      throw CodegenError(error)
    }
  }

  private static func writeFolder(_ url: URL, _ result: URL) throws(ModelError) -> [String] {
    let current = try ModelVersions.currentName(at: url)
    var versions: [String: NSManagedObjectModel] = [:]
    var warnings: [String] = []
    for name in try ModelVersions.names(at: url) {
      do throws(ModelError) {
        versions[name] = try NSManagedObjectModel.reading(
          url.appendingPathComponent(name + ".xcdatamodel"))
      } catch {
        if name == current { throw error }
        warnings.append(
          CodegenError(error).description.replacing(
            "error: ", with: "warning: ", maxReplacements: 1)
        )
      }
    }
    let fresh = result.deletingLastPathComponent()
      .appendingPathComponent(".\(result.lastPathComponent)-\(UUID().uuidString).momd")
    defer { try? FileManager.default.removeItem(at: fresh) }  // It is a copy.
    try NSManagedObjectModel.write(versions, current: current, to: fresh)
    try adopt(fresh, as: result)
    return warnings
  }

  /// Updates the contents of a folder to those of a new folder, file by file.
  private static func adopt(_ fresh: URL, as result: URL) throws(ModelError) {
    let files = FileManager.default
    do {
      try files.createDirectory(at: result, withIntermediateDirectories: true)
      let names = try files.contentsOfDirectory(atPath: fresh.path)
      // A folder with another extension may contain other files of the user.
      let existing =
        result.pathExtension == "momd" ? try files.contentsOfDirectory(atPath: result.path) : []
      for name in existing where !names.contains(name) {
        try files.removeItem(at: result.appendingPathComponent(name))
      }
      for name in names.sorted() {
        try update(
          result.appendingPathComponent(name),
          try Data(contentsOf: fresh.appendingPathComponent(name)))
      }
    } catch let error as ModelError {
      throw error
    } catch {
      throw unwritable(result, error)
    }
  }

  private static func update(_ url: URL, _ data: Data) throws(ModelError) {
    do {
      try data.update(url)
    } catch {
      throw unwritable(url, error)
    }
  }

  private static func unwritable(_ url: URL, _ error: any Error) -> ModelError {
    ModelError(
      .unwritable, "The compiled model cannot be written: \(error.localizedDescription)",
      path: url.path)
  }
}
