package import Foundation

/// Reads and writes all versions of a model at a URL, which is one file or a folder of versions.
package enum ModelVersions {
  /// Returns all versions in ascending order of their names; a single file is one version.
  ///
  /// - Parameter url: A `.momd` or `.xcdatamodeld` folder, a `.mom` file, or an `.xcdatamodel`
  ///   folder.
  /// - Throws: `ModelError` with code `.unreadable` if the folder contains no version, or if a file
  ///   cannot be read. Throws `ModelError` with code `.malformed` if a file is damaged, or with
  ///   another code if a model is invalid. The error contains the path of the file.
  package static func read(
    _ url: URL
  ) throws(ModelError) -> [(name: String, model: NSManagedObjectModel)] {
    if url.pathExtension == "momd" { return try CompiledModelFolder.versions(at: url) }
    guard url.pathExtension == "xcdatamodeld" else {
      return [(name: stem(url), model: try NSManagedObjectModel.reading(url))]
    }
    var versions: [(name: String, model: NSManagedObjectModel)] = []
    for name in try names(at: url) {
      let version = url.appendingPathComponent(name + ".xcdatamodel")
      versions.append((name: name, model: try NSManagedObjectModel.reading(version)))
    }
    return versions
  }

  /// Returns the sorted names, without file extension, of all versions in a folder, or the name of
  /// a single model file.
  ///
  /// - Parameter url: A `.momd` or `.xcdatamodeld` folder; any other URL is a single model file.
  /// - Throws: `ModelError` with code `.unreadable` if a folder cannot be listed or contains no
  ///   version.
  package static func names(at url: URL) throws(ModelError) -> [String] {
    guard let ending = ["momd": ".mom", "xcdatamodeld": ".xcdatamodel"][url.pathExtension] else {
      return [stem(url)]
    }
    let files: [String]
    do {
      files = try FileManager.default.contentsOfDirectory(atPath: url.path)
    } catch {
      throw ModelError(
        .unreadable, "The folder of models cannot be read: \(error.localizedDescription)",
        path: url.path)
    }
    let names = files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
    guard !names.isEmpty else {
      throw ModelError(
        .unreadable, "The folder does not contain a version of a model.", path: url.path)
    }
    return names.sorted()
  }

  /// Returns the folder that contains a version's file and all other versions, or the file itself
  /// if there is no such folder.
  package static func container(of url: URL) -> URL {
    let folder = url.deletingLastPathComponent()
    return ["momd", "xcdatamodeld"].contains(folder.pathExtension) ? folder : url
  }

  /// Returns the name, without file extension, of a folder's current version, or of a single model
  /// file.
  ///
  /// - Parameter url: A `.momd` or `.xcdatamodeld` folder; any other URL is a single model file.
  /// - Throws: `ModelError` with code `.unreadable` if the current version is unknown or missing,
  ///   or if the file that names the current version cannot be read.
  package static func currentName(at url: URL) throws(ModelError) -> String {
    switch url.pathExtension {
    case "momd": return try CompiledModelFolder.currentName(at: url)
    case "xcdatamodeld":
      let name = try NSManagedObjectModel.currentVersion(in: url)
      return stem(url.appendingPathComponent(name))
    default: return stem(url)
    }
  }

  /// Converts a folder of versions to the other format, with the same current version.
  ///
  /// - Parameters:
  ///   - source: A `.momd` or `.xcdatamodeld` folder.
  ///   - url: The new folder. The method replaces versions in this folder with the same names.
  /// - Throws: `ModelError` with one of the following codes, or with another code if a model is
  ///   invalid. The error contains the path of the file and, if known, the entity and the property.
  ///   - `.unreadable`: A version cannot be read.
  ///   - `.malformed`: A file is damaged.
  ///   - `.unarchivable`: The other format cannot contain a part of a model.
  ///   - `.unwritable`: The new folder cannot be written.
  package static func write(_ source: URL, to url: URL) throws(ModelError) {
    let versions = try read(source)
    try NSManagedObjectModel.write(
      Dictionary(versions.map { ($0.name, $0.model) }) { first, _ in first },
      current: try currentName(at: source), to: url)
  }

  /// Returns the checksums of versions in the list of a `.momd` folder; older lists contain none.
  static func recordedChecksums(at url: URL) -> [String: String] {
    // If the list is missing or damaged, the versions are read instead.
    guard let data = try? Data(contentsOf: url.appendingPathComponent("VersionInfo.plist")),
      let list = PropertyListDictionary.read(data)
    else { return [:] }
    return list["NSManagedObjectModel_VersionChecksums"] as? [String: String] ?? [:]
  }

  /// Returns the version hashes of the entities of each version in the list of a `.momd` folder.
  static func recordedHashes(at url: URL) -> [String: [String: Data]] {
    // If the list is missing or damaged, the versions are read instead.
    guard let data = try? Data(contentsOf: url.appendingPathComponent("VersionInfo.plist")),
      let list = PropertyListDictionary.read(data)
    else { return [:] }
    let hashes = list["NSManagedObjectModel_VersionHashes"] as? [String: Any] ?? [:]
    return hashes.compactMapValues { $0 as? [String: Data] }
  }

  private static func stem(_ url: URL) -> String {
    url.deletingPathExtension().lastPathComponent
  }
}
