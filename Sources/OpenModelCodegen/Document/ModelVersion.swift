internal import Foundation
internal import OpenObjectModel

/// The version of a model document for which source is generated.
struct ModelVersion {
  /// The `.xcdatamodel` folder.
  let folder: URL
  /// The XML document in the folder.
  var contents: URL { folder.appendingPathComponent("contents") }

  /// Returns the current version of an `.xcdatamodeld` folder, or the `.xcdatamodel` folder itself.
  ///
  /// - Throws: `CodegenError` if there is no document, or if the current version cannot be
  ///   determined.
  static func current(of url: URL) throws(CodegenError) -> ModelVersion {
    let itself = ModelVersion(folder: url)
    if itself.exists { return itself }
    guard let name = try markedName(in: url) ?? onlyName(in: url) else {
      throw CodegenError(
        .unreadableModel,
        "There is no model at this path, or the model does not specify its current version. "
          + "Specify an .xcdatamodeld or .xcdatamodel folder.", path: url.path)
    }
    let version = ModelVersion(folder: url.appendingPathComponent(name))
    guard version.exists else {
      throw CodegenError(
        .unreadableModel, "The current version \(name) of the model is missing.", path: url.path)
    }
    return version
  }

  private var exists: Bool { FileManager.default.fileExists(atPath: contents.path) }

  /// Returns the version name in the file `.xccurrentversion`; nil if the file is missing or names
  /// no version. A model with only one version has no such file.
  ///
  /// - Throws: `CodegenError` if the file exists but cannot be read.
  private static func markedName(in url: URL) throws(CodegenError) -> String? {
    do throws(ModelError) {
      return try NSManagedObjectModel.markedVersion(in: url)
    } catch {
      throw CodegenError(error)
    }
  }

  private static func onlyName(in url: URL) -> String? {
    // A folder that cannot be listed holds no version.
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [])
      .filter { $0.hasSuffix(".xcdatamodel") }
    let sameName = url.deletingPathExtension().lastPathComponent + ".xcdatamodel"
    return names.contains(sameName) ? sameName : names.count == 1 ? names.first : nil
  }
}
