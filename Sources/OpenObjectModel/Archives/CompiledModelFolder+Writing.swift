package import Foundation

extension CompiledModelFolder {
  /// A version of a model, with its entry in the folder's list of versions.
  package struct Version {
    /// The name of the version and of its file, without a file extension.
    package var name: String
    /// The model of the version.
    package var model: NSManagedObjectModel
    /// The version hashes of the model's entities, by entity name.
    package var entityHashes: [String: Data]
    /// The checksum of the complete model; nil to omit the checksum from the list.
    package var checksum: String?

    /// Creates a version with the given hashes and checksum.
    ///
    /// - Parameters:
    ///   - name: The name of the version and of its file, without a file extension.
    ///   - model: The model of the version.
    ///   - entityHashes: The version hashes of the model's entities, by entity name.
    ///   - checksum: The checksum of the complete model; nil to omit the checksum from the list.
    package init(
      name: String, model: NSManagedObjectModel, entityHashes: [String: Data], checksum: String?
    ) {
      self.name = name
      self.model = model
      self.entityHashes = entityHashes
      self.checksum = checksum
    }
  }

  /// Writes a folder with a compiled model for every version, and finally the list of versions.
  ///
  /// Files with the same names are replaced; other files are not changed.
  ///
  /// - Parameters:
  ///   - versions: The versions; at least one.
  ///   - current: The name of the current version.
  ///   - url: The folder, which is created if it does not exist.
  /// - Throws: `ModelError` with one of the following codes:
  ///   - `.unarchivable`: An archive cannot contain a part of a model, a name is not a valid file
  ///     name, or `versions` does not contain the current version.
  ///   - `.unwritable`: The folder cannot be written.
  package static func write(
    _ versions: [Version], current: String, to url: URL
  ) throws(ModelError) {
    guard versions.contains(where: { $0.name == current }) else {
      throw .unarchivable("The current version \(current) of the model is missing.")
    }
    var files: [(name: String, data: Data)] = []
    for version in versions {
      guard isFileName(version.name) else {
        throw .unarchivable("The version name \(version.name) is not a valid file name.")
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
        "The compiled model cannot be written. Choose another location. \(error.localizedDescription)",
        path: url.path)
    }
  }

  private static func isFileName(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") && !name.contains("\0")
  }

  /// Returns the list of versions.
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
  /// Creates a version with the version hashes and the checksum of its model.
  ///
  /// - Parameters:
  ///   - name: The name of the version and of its file, without a file extension.
  ///   - model: The model of the version.
  package init(name: String, model: NSManagedObjectModel) {
    self.init(
      name: name, model: model, entityHashes: model.entityVersionHashesByName,
      checksum: model.versionChecksum)
  }
}
