package import Foundation

/// A `.momd` folder: a compiled model for every version, and a list that says which one is current.
///
/// A namespace. The list, `VersionInfo.plist`, may be missing; then the only version counts, or the one that
/// is named as the folder.
package enum CompiledModelFolder {
  /// All versions, by name in ascending order.
  ///
  /// - Parameter url: The folder.
  /// - Throws: `ModelError` with code `.unreadable` when there is none, or what is wrong with one.
  package static func versions(
    at url: URL
  ) throws(ModelError) -> [(name: String, model: NSManagedObjectModel)] {
    var versions: [(name: String, model: NSManagedObjectModel)] = []
    for name in try names(at: url) {
      versions.append((name: name, model: try model(at: url.appendingPathComponent(name + ".mom"))))
    }
    return versions
  }

  /// The current version.
  ///
  /// - Parameter url: The folder.
  /// - Throws: `ModelError` with code `.unreadable` when it is not known or missing, or what is wrong with it.
  package static func currentVersion(at url: URL) throws(ModelError) -> NSManagedObjectModel {
    try model(at: url.appendingPathComponent(currentName(at: url) + ".mom"))
  }

  /// The model in a `.mom` file.
  ///
  /// - Parameter url: The file.
  /// - Throws: `ModelError` with code `.unreadable` when there is none, or what is wrong with it.
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

  /// The model that an `.omo` file is a faster form of: the `.mom` of the same name beside it.
  ///
  /// The form of `.omo` files is private to Apple's framework, and they hold nothing that the `.mom` does not.
  ///
  /// - Parameter url: The `.omo` file.
  /// - Throws: `ModelError` with code `.unreadable` when one of the two is missing, or what is wrong with the model.
  package static func model(optimizedAt url: URL) throws(ModelError) -> NSManagedObjectModel {
    let plain = url.deletingPathExtension().appendingPathExtension("mom")
    let files = FileManager.default
    guard files.fileExists(atPath: url.path) else {
      throw ModelError(.unreadable, "There is no optimized model here.", path: url.path)
    }
    guard files.fileExists(atPath: plain.path) else {
      throw ModelError(
        .unreadable,
        "An optimized model is read by the .mom file of the same name, which is not beside it. Add "
          + "\(plain.lastPathComponent), or compile the model again.", path: url.path)
    }
    return try model(at: plain)
  }

  /// The names of all versions, sorted.
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
        .unreadable, "The folder has no compiled model. Compile the model again.",
        path: url.path)
    }
    return names
  }

  /// The name of the current version, without its file extension.
  static func currentName(at url: URL) throws(ModelError) -> String {
    let names = try names(at: url)
    let list = url.appendingPathComponent("VersionInfo.plist")
    // Without the list, or with one that cannot be read, the files themselves must do.
    if let data = try? Data(contentsOf: list),
      let name = PropertyListDictionary.read(data)?["NSManagedObjectModel_CurrentVersionName"]
        as? String
    {
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
      "The folder does not say which version of the model is current. Add VersionInfo.plist.",
      path: url.path)
  }
}
