package import Foundation

extension CompiledModelFolder {
  /// A version of a model, with what the folder's list says of it.
  package struct Version {
    /// The name, also of the file, without extension.
    package var name: String
    /// The model.
    package var model: NSManagedObjectModel
    /// The hashes of its entities, by name.
    package var entityHashes: [String: Data]
    /// The checksum of the whole; nil to leave it out.
    package var checksum: String?

    /// Creates a version.
    package init(
      name: String, model: NSManagedObjectModel, entityHashes: [String: Data], checksum: String?
    ) {
      self.name = name
      self.model = model
      self.entityHashes = entityHashes
      self.checksum = checksum
    }
  }

  /// Writes a folder with a compiled model for every version, and the list of versions last.
  ///
  /// Files of the same names are replaced, others are left alone.
  ///
  /// - Parameters:
  ///   - versions: The versions, at least one.
  ///   - current: The name of the current one.
  ///   - url: The folder; created if it does not exist.
  /// - Throws: `ModelError` with code `.unarchivable` when a model or a name cannot be written, `.unwritable`
  ///   when the place does not take the files.
  package static func write(
    _ versions: [Version], current: String, to url: URL
  ) throws(ModelError) {
    guard versions.contains(where: { $0.name == current }) else {
      throw .unarchivable("There is no version \(current), which should be the current one.")
    }
    var files: [(name: String, data: Data)] = []
    for version in versions {
      guard isFileName(version.name) else {
        throw .unarchivable("A file cannot have the name of the version \(version.name).")
      }
      files.append(
        (
          name: version.name + ".mom",
          data: try ModelArchive.write(version.model, dialect: .mom)
        ))
    }
    files.append((name: "VersionInfo.plist", data: list(of: versions, current: current)))
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      for file in files {
        try file.data.write(to: url.appendingPathComponent(file.name), options: .atomic)
      }
    } catch {
      throw ModelError(
        .unwritable,
        "The compiled model cannot be written: \(error.localizedDescription). Choose another place.",
        path: url.path)
    }
  }

  private static func isFileName(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") && !name.contains("\0")
  }

  /// The list of versions.
  private static func list(of versions: [Version], current: String) -> Data {
    let sorted = versions.sorted { $0.name < $1.name }
    var builder = PropertyListBuilder()
    let hashes = sorted.map { version in
      let entries = version.entityHashes.sorted { $0.key < $1.key }
        .map { (key: $0.key, value: builder.add(.data($0.value))) }
      return (key: version.name, value: builder.add(entries))
    }
    let checksums = sorted.compactMap { version in
      version.checksum.map { (key: version.name, value: builder.add(.string($0))) }
    }
    var entries = [
      (
        key: "NSManagedObjectModel_CurrentVersionName",
        value: builder.add(.string(current))
      ),
      (key: "NSManagedObjectModel_VersionHashes", value: builder.add(hashes)),
    ]
    if !checksums.isEmpty {
      entries.append(
        (key: "NSManagedObjectModel_VersionChecksums", value: builder.add(checksums)))
    }
    let root = builder.add(entries)
    return builder.list(root: root).encoded()
  }
}

extension CompiledModelFolder.Version {
  /// Creates a version with the hashes and the checksum of its model.
  package init(name: String, model: NSManagedObjectModel) {
    self.init(
      name: name, model: model, entityHashes: model.entityVersionHashesByName,
      checksum: model.versionChecksum)
  }
}
