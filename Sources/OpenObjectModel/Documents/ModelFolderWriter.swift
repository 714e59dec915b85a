internal import Foundation

/// Writes model documents to files.
enum ModelFolderWriter {
  /// Writes an `.xcdatamodel` folder.
  static func write(_ model: NSManagedObjectModel, toVersion url: URL) throws(ModelError) {
    let contents = try ModelWriter.contents(of: model)
    try writing(to: url) {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try contents.write(to: url.appendingPathComponent("contents"), options: .atomic)
    }
  }

  /// Writes versions into an `.xcdatamodeld` folder, and finally the name of the current version.
  ///
  /// Versions with the same names are replaced; other versions are not changed.
  static func write(
    _ versions: [String: NSManagedObjectModel], current: String, to url: URL
  ) throws(ModelError) {
    for (name, model) in versions.sorted(by: { $0.key < $1.key }) {
      try write(model, toVersion: url.appendingPathComponent(name + ".xcdatamodel"))
    }
    let marker: [String: Any] = ["_XCCurrentVersionName": current + ".xcdatamodel"]
    try writing(to: url) {
      let data = try PropertyListSerialization.data(
        fromPropertyList: marker, format: .xml, options: 0)
      try data.write(to: url.appendingPathComponent(".xccurrentversion"), options: .atomic)
    }
  }

  /// Executes steps that write files, and reports where they failed.
  static func writing(to url: URL, _ steps: () throws -> Void) throws(ModelError) {
    do {
      try steps()
    } catch {
      throw ModelError(
        .unwritable, "The model cannot be written: \(error.localizedDescription)", path: url.path)
    }
  }

  /// Rejects version names that are not file names, and an unknown current version.
  static func check(
    _ versions: [String: NSManagedObjectModel], current: String, _ url: URL
  ) throws(ModelError) {
    for name in versions.keys.sorted()
    where name.isEmpty || name.hasPrefix(".") || name.contains("/") || name.contains("\0") {
      throw ModelError(
        .unwritable, "The version name \(name.debugDescription) is not a valid file name.",
        path: url.path)
    }
    guard versions[current] != nil else {
      throw ModelError(
        .unwritable, "The current version \(current) of the model is missing.",
        path: url.path)
    }
  }
}
