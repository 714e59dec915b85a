package import Foundation
package import OpenObjectModel

/// The model versions that a program can find: in the option `OpenModelVersionsOption`, in the
/// folder of a model, and in bundles.
package struct ModelLibrary {
  /// The models that are searched first.
  private let given: [NSManagedObjectModel]
  private let bundles: [Bundle]
  private let origin: URL?

  /// Creates a library that searches the given models and bundles.
  ///
  /// - Parameters:
  ///   - given: The models that are searched first.
  ///   - model: A model whose folder of versions is searched before the bundles; nil to search no
  ///     folder.
  ///   - bundles: The bundles to search, or nil to search all bundles of the program.
  package init(
    _ given: [NSManagedObjectModel] = [], beside model: NSManagedObjectModel? = nil,
    in bundles: [Bundle]? = nil
  ) {
    self.given = given
    origin = model?.origin
    self.bundles = bundles ?? NSManagedObjectModel.searchedBundles
  }

  /// Returns the model that a store with the given metadata was written with, or nil if the library
  /// does not contain the model.
  package func model(fitting metadata: [String: Any]) -> NSManagedObjectModel? {
    if let found = NSManagedObjectModel(byMerging: given, forStoreMetadata: metadata) {
      return found
    }
    guard let hashes = NSManagedObjectModel.versionHashes(in: metadata) else { return nil }
    let catalog = ModelCatalog(files: files)
    return catalog.model(fitting: hashes)
      ?? NSManagedObjectModel(
        byMerging: catalog.models(sharing: hashes), forStoreMetadata: metadata)
  }

  /// Returns the model with the given version checksum, or nil if the library does not contain the
  /// model.
  package func model(checksum: String) -> NSManagedObjectModel? {
    if let found = given.first(where: { $0.versionChecksum == checksum }) { return found }
    let catalog = ModelCatalog(files: files)
    let version = catalog.versions.first { version in
      catalog.hashes(of: version).map { NSManagedObjectModel.checksum(of: $0) } == checksum
    }
    return version.flatMap { catalog.model(of: $0) }
  }

  /// Returns the model versions with the given name, and all model versions in a folder with this
  /// name.
  ///
  /// - Parameter name: A name without file extension.
  /// - Returns: The readable versions in the model's folder and in the bundles; empty if there are
  ///   none.
  package func models(named name: String) -> [NSManagedObjectModel] {
    let catalog = ModelCatalog(files: files)
    return catalog.versions.filter { version in
      version.name == name
        || version.url.deletingLastPathComponent().deletingPathExtension().lastPathComponent == name
    }.compactMap { catalog.model(of: $0) }
  }

  /// A list of up to 10 unreadable versions, to append to an error message; empty if all versions
  /// can be read.
  package var unreadableVersions: String {
    let failures = ModelCatalog(files: files).failures
    if failures.isEmpty { return "" }
    let list = failures.prefix(10).map { "\($0.url.path): \($0.error.message)" }
    return " These versions in model files cannot be read:\n" + list.joined(separator: "\n")
  }

  /// The files and folders of models without duplicates, starting with those of the given model.
  private var files: [URL] {
    var seen: Set<String> = []
    let beside = origin.map { [ModelVersions.container(of: $0)] } ?? []
    return (beside + bundles.flatMap { NSManagedObjectModel.modelFiles(in: $0) })
      .filter { seen.insert($0.standardizedFileURL.path).inserted }
  }
}
