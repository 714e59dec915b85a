import Foundation
import OpenMigration
import OpenModelCodegen
import OpenObjectModel

/// Conversions of models to other file formats.
package enum ModelConversion {
  /// Writes a model in the format that corresponds to the extension of the new file's name.
  ///
  /// If both files are folders of versions, the method writes all versions. Otherwise, the method
  /// writes one model: the current version, if the path is a folder of versions.
  ///
  /// - Parameters:
  ///   - path: The path of the model.
  ///   - result: The path of the new file.
  ///   - endings: The allowed extensions of the new file's name, without the dot.
  /// - Throws: `ToolError` with status `.usage` if the extension is not one of `endings`, or with
  ///   status `.unreadable` if the model cannot be read or written.
  package static func write(_ path: String, to result: String, endings: [String]) throws {
    let url = URL(fileURLWithPath: result)
    guard endings.contains(url.pathExtension) else {
      let names = endings.map { "." + $0 }.joined(separator: " or ")
      throw ToolError(.usage, "\(result): The name must end in \(names).")
    }
    let source = URL(fileURLWithPath: path)
    let isFolder = ["momd", "xcdatamodeld"].contains(source.pathExtension)
    do throws(ModelError) {
      if isFolder, ["momd", "xcdatamodeld"].contains(url.pathExtension) {
        try ModelVersions.write(source, to: url)
        return
      }
    } catch {
      throw ToolError(.unreadable, InspectedStore.text(of: error, at: path))
    }
    let model = try InspectedStore.model(at: path)
    do throws(ModelError) {
      try model.write(to: url)
    } catch {
      throw ToolError(.unreadable, InspectedStore.text(of: error, at: result))
    }
  }

  /// Writes a mapping model in compiled form.
  ///
  /// - Parameters:
  ///   - path: The path of the mapping model, which must end in `.xcmappingmodel` or `.cdm`.
  ///   - result: The path of the new file, which must end in `.cdm`.
  ///   - models: The paths of the source model and the destination model; nil to use the models to
  ///     which the mapping model refers.
  /// - Throws: `ToolError` with status `.usage` if `path` or `result` has another extension. Throws
  ///   `ToolError` with status `.unreadable` if the mapping model or one of the models cannot be
  ///   read, if the mapping model does not match the models, or if the file cannot be written.
  package static func writeMapping(
    _ path: String, to result: String, models: (source: String, destination: String)? = nil
  ) throws {
    let url = URL(fileURLWithPath: path)
    guard ["cdm", "xcmappingmodel"].contains(url.pathExtension), result.hasSuffix(".cdm") else {
      throw ToolError(
        .usage,
        "The name of a mapping model must end in .xcmappingmodel or .cdm, and the name of its compiled form in .cdm."
      )
    }
    let pair = try models.map {
      (try InspectedStore.model(at: $0.source), try InspectedStore.model(at: $0.destination))
    }
    do {
      let model = try mapping(at: url, for: pair)
      if let (source, destination) = pair, !model.isMapping(from: source, to: destination) {
        throw ToolError(
          .unreadable, "\(path): The mapping model does not match the versions of the two models.")
      }
      try model.write(to: URL(fileURLWithPath: result))
    } catch let error as MigrationError {
      throw ToolError(.unreadable, "\(error)")
    }
  }

  private static func mapping(
    at url: URL, for models: (source: NSManagedObjectModel, destination: NSManagedObjectModel)?
  ) throws(MigrationError) -> NSMappingModel {
    guard let models else { return try NSMappingModel.reading(url) }
    return try NSMappingModel.reading(
      url, forSourceModel: models.source, destinationModel: models.destination)
  }

  /// Returns the Swift source of the classes of a model document.
  ///
  /// - Parameters:
  ///   - path: The path of the model document.
  ///   - isExpanded: Whether the source contains the complete accessors of properties instead of
  ///     macros.
  ///   - includesManual: Whether the source also contains the classes of entities whose setting
  ///     "Codegen" is "Manual/None".
  /// - Throws: `ToolError` with status `.unreadable` if the document cannot be read, or cannot be
  ///   converted to Swift source.
  package static func source(
    of path: String, isExpanded: Bool = false, includesManual: Bool = false
  ) throws -> String {
    try InputKind.require(path, toBe: "a model document")
    try requireDocument(path)
    do throws(CodegenError) {
      return try ModelCodegen.source(
        ofModelAt: URL(fileURLWithPath: path), scope: includesManual ? .all : .declared,
        form: isExpanded ? .expanded : .macros)
    } catch {
      let text = "\(error)".replacing("error: ", with: "", maxReplacements: 1)
      throw ToolError(.unreadable, error.path == nil ? "\(path): \(text)" : text)
    }
  }

  /// Throws an error if a path leads to a compiled model or a store, which do not contain the
  /// settings for code generation.
  private static func requireDocument(_ path: String) throws {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    let isDocument = isFolder.boolValue && URL(fileURLWithPath: path).pathExtension != "momd"
    guard exists, !isDocument else { return }
    throw ToolError(
      .unreadable,
      "\(path): Classes can be generated only from a model document, an .xcdatamodeld or .xcdatamodel folder. "
        + "For a compiled model or a store, write a document with model decompile, and pass --all-entities."
    )
  }
}
