package import Foundation

/// A `.momd` folder, which contains a compiled model for every version and a list that names the
/// current version.
///
/// If the list, `VersionInfo.plist`, is missing or names no current version, the current version is
/// the version with the folder's name, or the only version.
package enum CompiledModelFolder {
  /// Returns the names and models of all versions, in ascending order of the names.
  ///
  /// - Parameter url: The folder.
  /// - Throws: `ModelError` with code `.unreadable` if the folder cannot be listed or contains no
  ///   version. Also throws the error of ``model(at:)`` for the first version that cannot be read.
  package static func versions(
    at url: URL
  ) throws(ModelError) -> [(name: String, model: NSManagedObjectModel)] {
    var versions: [(name: String, model: NSManagedObjectModel)] = []
    for name in try names(at: url) {
      versions.append((name: name, model: try model(at: url.appendingPathComponent(name + ".mom"))))
    }
    return versions
  }

  /// Returns the model of the current version.
  ///
  /// - Parameter url: The folder.
  /// - Throws: `ModelError` with code `.unreadable` if the current version is unknown or missing,
  ///   or if the list or the file of the current version cannot be read. Throws `ModelError` with
  ///   code `.malformed` if the file is damaged, or with another code if its model is invalid.
  package static func currentVersion(at url: URL) throws(ModelError) -> NSManagedObjectModel {
    try model(at: url.appendingPathComponent(currentName(at: url) + ".mom"))
  }

  /// Returns the model in a `.mom` file.
  ///
  /// - Parameter url: The file.
  /// - Throws: `ModelError` with code `.unreadable` if the file cannot be read, with code
  ///   `.malformed` if the file is damaged, or with another code if its model is invalid.
  package static func model(at url: URL) throws(ModelError) -> NSManagedObjectModel {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw ModelError(
        .unreadable, "The compiled model cannot be read: \(error.localizedDescription)",
        path: url.path)
    }
    return try ModelArchive.read(data, path: url.path)
  }

  /// Returns the model of an `.omo` file by reading the `.mom` file with the same name.
  ///
  /// The format of `.omo` files is private to Apple's framework. An `.omo` file contains nothing
  /// that the `.mom` file lacks.
  ///
  /// - Parameter url: The `.omo` file.
  /// - Throws: `ModelError` with code `.unreadable` if one of the two files is missing or if the
  ///   `.mom` file cannot be read, with code `.malformed` if the `.mom` file is damaged, or with
  ///   another code if its model is invalid.
  package static func model(optimizedAt url: URL) throws(ModelError) -> NSManagedObjectModel {
    let plain = url.deletingPathExtension().appendingPathExtension("mom")
    let files = FileManager.default
    guard files.fileExists(atPath: url.path) else {
      throw ModelError(.unreadable, "The optimized model does not exist.", path: url.path)
    }
    guard files.fileExists(atPath: plain.path) else {
      throw ModelError(
        .unreadable,
        "An optimized model can be read only with the .mom file of the same name in the same folder. Add "
          + "\(plain.lastPathComponent) to the folder, or compile the model again.", path: url.path)
    }
    return try model(at: plain)
  }

  /// Returns the sorted names of all versions.
  private static func names(at url: URL) throws(ModelError) -> [String] {
    let files: [String]
    do {
      files = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      throw ModelError(
        .unreadable, "The folder of compiled models cannot be read: \(error.localizedDescription)",
        path: url.path)
    }
    let names = files.filter { $0.hasSuffix(".mom") }.map { String($0.dropLast(4)) }.sorted()
    guard !names.isEmpty else {
      throw ModelError(
        .unreadable, "The folder does not contain a compiled model. Compile the model again.",
        path: url.path)
    }
    return names
  }

  /// Returns the name of the current version, without its file extension.
  static func currentName(at url: URL) throws(ModelError) -> String {
    let names = try names(at: url)
    if let name = try listedName(at: url) {
      guard names.contains(name) else {
        throw ModelError(
          .unreadable, "The current version \(name) of the compiled model is missing.",
          path: url.path)
      }
      return name
    }
    let sameName = url.deletingPathExtension().lastPathComponent
    if names.contains(sameName) { return sameName }
    if names.count == 1, let only = names.first { return only }
    throw ModelError(
      .unreadable,
      "The folder does not specify the current version of the model. Add VersionInfo.plist.",
      path: url.path)
  }

  /// Returns the current version in the folder's list; nil if the list is missing or names no
  /// version.
  ///
  /// - Throws: `ModelError` with code `.unreadable` if the list exists but cannot be read. The
  ///   names of the files could then select an older version.
  private static func listedName(at url: URL) throws(ModelError) -> String? {
    let list = try PropertyListDictionary.read(
      at: url.appendingPathComponent("VersionInfo.plist"),
      ifDamaged: "The list of versions is damaged or cannot be read. Compile the model again.")
    return list?["NSManagedObjectModel_CurrentVersionName"] as? String
  }
}
