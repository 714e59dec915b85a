package import Foundation

/// All versions of all models in bundles. A catalog finds a version by the version hashes of the
/// version's entities.
///
/// The list in a `.momd` folder contains the hashes of the folder's versions. To find one of a
/// thousand versions, the catalog therefore reads only the list and one file. If no list contains
/// the hashes of a version, the catalog reads the version and computes its hashes. The catalog
/// reads every file at most once.
///
/// A catalog is confined to one search.
package final class ModelCatalog {
  /// A version of a model in a separate file.
  package struct Version {
    /// The name of the version, without a file extension.
    package let name: String
    /// The `.mom` file or `.xcdatamodel` folder of the version.
    package let url: URL
    /// The version hashes in the folder's list; nil if the list contains none.
    let recordedHashes: [String: Data]?
    fileprivate let number: Int
  }

  /// The result of reading a version.
  private enum Reading {
    case model(NSManagedObjectModel, hashes: [String: Data])
    case failed(ModelError)
  }

  /// The versions, in the order of the searched files. The versions in one folder are sorted by
  /// name.
  package let versions: [Version]
  private var readings: [Int: Reading] = [:]

  /// Creates a catalog of the versions of the models in bundles.
  ///
  /// - Parameter bundles: The bundles to search; nil for the program's own bundle.
  package convenience init(_ bundles: [Bundle]?) {
    self.init(files: (bundles ?? [.main]).flatMap { NSManagedObjectModel.modelFiles(in: $0) })
  }

  /// Creates a catalog of the versions of models; a folder that cannot be listed has no versions.
  ///
  /// - Parameter files: Folders of versions, and single versions, compiled or as documents.
  package init(files: [URL]) {
    var versions: [Version] = []
    for file in files {
      let ending = ["momd": ".mom", "xcdatamodeld": ".xcdatamodel"][file.pathExtension]
      let recorded = file.pathExtension == "momd" ? ModelVersions.recordedHashes(at: file) : [:]
      // A folder that cannot be listed does not prevent other models from being found.
      for name in (try? ModelVersions.names(at: file)) ?? [] {
        let url = ending.map { file.appendingPathComponent(name + $0) } ?? file
        versions.append(
          Version(
            name: name, url: url, recordedHashes: recorded[name], number: versions.count))
      }
    }
    self.versions = versions
  }

  /// Returns the model of a version, always as the same object; nil if the model cannot be read.
  package func model(of version: Version) -> NSManagedObjectModel? {
    if case .model(let model, _) = reading(of: version) { model } else { nil }
  }

  /// Returns the version hashes of a version's entities by name; nil if no list contains the hashes
  /// and the version cannot be read.
  package func hashes(of version: Version) -> [String: Data]? {
    if let recorded = version.recordedHashes { return recorded }
    if case .model(_, let hashes) = reading(of: version) { return hashes }
    return nil
  }

  /// Returns the first model whose entities have exactly the given version hashes; nil if there is
  /// none.
  ///
  /// The method skips a version if the hashes of its model differ from the hashes in the folder's
  /// list.
  package func model(fitting hashes: [String: Data]) -> NSManagedObjectModel? {
    for version in versions where self.hashes(of: version) == hashes {
      if case .model(let model, hashes) = reading(of: version) { return model }
    }
    return nil
  }

  /// Returns the models that contain at least one entity with a given name and version hash.
  ///
  /// The caller can merge these models into a model that matches all hashes. The method skips
  /// versions that cannot be read.
  ///
  /// - Parameter hashes: The version hashes of the entities, by name.
  package func models(sharing hashes: [String: Data]) -> [NSManagedObjectModel] {
    versions.filter { version in
      self.hashes(of: version)?.contains { hashes[$0.key] == $0.value } == true
    }.compactMap(model)
  }

  /// The files of the versions that cannot be read, and the reasons. Accessing the property reads
  /// all versions.
  package var failures: [(url: URL, error: ModelError)] {
    versions.compactMap { version -> (url: URL, error: ModelError)? in
      guard case .failed(let error) = reading(of: version) else { return nil }
      return (url: version.url, error: error)
    }
  }

  private func reading(of version: Version) -> Reading {
    if let known = readings[version.number] { return known }
    let reading: Reading
    do throws(ModelError) {
      let model = try NSManagedObjectModel.reading(version.url)
      reading = .model(model, hashes: model.entityVersionHashesByName)
    } catch {
      // A version that cannot be read does not prevent other versions from being found.
      reading = .failed(error)
    }
    readings[version.number] = reading
    return reading
  }
}
