package import Foundation
package import OpenObjectModel

/// The versions of models that a program knows: those in the option, those in the model's folder, and those in the
/// bundles.
package struct ModelLibrary {
  /// Models that are looked at first.
  private let given: [NSManagedObjectModel]
  private let bundles: [Bundle]
  private let origin: URL?

  /// Names the places to look in.
  ///
  /// - Parameters:
  ///   - given: Models that are looked at first.
  ///   - model: A model with other versions in the same folder.
  ///   - bundles: Bundles; nil for all bundles of the program.
  package init(
    _ given: [NSManagedObjectModel] = [], beside model: NSManagedObjectModel? = nil,
    in bundles: [Bundle]? = nil
  ) {
    self.given = given
    origin = model?.origin
    self.bundles = bundles ?? NSManagedObjectModel.searchedBundles
  }

  /// The model that a store was written with; nil when it is not known.
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

  /// The model with a checksum; nil when it is not known.
  package func model(checksum: String) -> NSManagedObjectModel? {
    if let found = given.first(where: { $0.versionChecksum == checksum }) { return found }
    let catalog = ModelCatalog(files: files)
    let version = catalog.versions.first { version in
      catalog.hashes(of: version).map { NSManagedObjectModel.checksum(of: $0) } == checksum
    }
    return version.flatMap { catalog.model(of: $0) }
  }

  /// The versions of a name, without file extension.
  package func models(named name: String) -> [NSManagedObjectModel] {
    let catalog = ModelCatalog(files: files)
    return catalog.versions.filter { version in
      version.name == name
        || version.url.deletingLastPathComponent().deletingPathExtension().lastPathComponent == name
    }.compactMap { catalog.model(of: $0) }
  }

  /// Files of models, each once: that of the model's own versions first.
  private var files: [URL] {
    var seen: Set<String> = []
    let beside = origin.map { [container(of: $0)] } ?? []
    return (beside + bundles.flatMap { NSManagedObjectModel.modelFiles(in: $0) })
      .filter { seen.insert($0.standardizedFileURL.path).inserted }
  }

  /// The folder of all versions that a version's file is in, or the file itself.
  private func container(of url: URL) -> URL {
    let folder = url.deletingLastPathComponent()
    return ["momd", "xcdatamodeld"].contains(folder.pathExtension) ? folder : url
  }
}
