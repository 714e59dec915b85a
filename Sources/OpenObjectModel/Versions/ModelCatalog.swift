package import Foundation

/// All versions of all models in bundles, to be found by the version hashes of their entities.
///
/// The list in a `.momd` folder says the hashes of its versions, so that one of a thousand is found by reading the list and one
/// file. Versions that no list names are read for their hashes. Every file is read once at most.
///
/// Confined to one search.
package final class ModelCatalog {
  /// A version of a model in a separate file.
  package struct Version {
    /// The version's name, without file extension.
    package let name: String
    /// The `.mom` file or `.xcdatamodel` folder.
    package let url: URL
    /// The hashes that a list says.
    let recordedHashes: [String: Data]?
    fileprivate let number: Int
  }

  /// What became of reading a version.
  private enum Reading {
    case model(NSManagedObjectModel, hashes: [String: Data])
    case failed
  }

  /// The versions in the order of bundles, models and names.
  package let versions: [Version]
  private var readings: [Int: Reading] = [:]

  /// Lists the versions of the models in bundles.
  ///
  /// - Parameter bundles: Where to look; nil for the program's own bundle.
  package convenience init(_ bundles: [Bundle]?) {
    self.init(files: (bundles ?? [.main]).flatMap { NSManagedObjectModel.modelFiles(in: $0) })
  }

  /// Lists the versions of models; what cannot be listed has none.
  ///
  /// - Parameter files: Folders of versions, and single versions, in either form.
  package init(files: [URL]) {
    var versions: [Version] = []
    for file in files {
      let ending = ["momd": ".mom", "xcdatamodeld": ".xcdatamodel"][file.pathExtension]
      let recorded = file.pathExtension == "momd" ? ModelVersions.recordedHashes(at: file) : [:]
      // A folder that cannot be listed does not keep others from being found.
      for name in (try? ModelVersions.names(at: file)) ?? [] {
        let url = ending.map { file.appendingPathComponent(name + $0) } ?? file
        versions.append(
          Version(
            name: name, url: url, recordedHashes: recorded[name], number: versions.count))
      }
    }
    self.versions = versions
  }

  /// The model of a version, the same object each time; nil when it cannot be read.
  package func model(of version: Version) -> NSManagedObjectModel? {
    if case .model(let model, _) = reading(of: version) { model } else { nil }
  }

  /// The version hashes of a version's entities by name; nil when they are in no list and the version cannot be read.
  package func hashes(of version: Version) -> [String: Data]? {
    if let recorded = version.recordedHashes { return recorded }
    if case .model(_, let hashes) = reading(of: version) { return hashes }
    return nil
  }

  /// The first model whose entities have exactly the given hashes; nil when there is none.
  ///
  /// A version whose list is wrong about it is passed over.
  package func model(fitting hashes: [String: Data]) -> NSManagedObjectModel? {
    for version in versions where self.hashes(of: version) == hashes {
      if case .model(let model, hashes) = reading(of: version) { return model }
    }
    return nil
  }

  /// The models that have at least one of the given entities. A matching model may be assembled from them.
  package func models(sharing hashes: [String: Data]) -> [NSManagedObjectModel] {
    versions.filter { version in
      self.hashes(of: version)?.contains { hashes[$0.key] == $0.value } == true
    }.compactMap(model)
  }

  private func reading(of version: Version) -> Reading {
    if let known = readings[version.number] { return known }
    let reading: Reading
    // A version that cannot be read does not keep others from being found.
    if let model = try? NSManagedObjectModel.reading(version.url) {
      reading = .model(model, hashes: model.entityVersionHashesByName)
    } else {
      reading = .failed
    }
    readings[version.number] = reading
    return reading
  }
}
