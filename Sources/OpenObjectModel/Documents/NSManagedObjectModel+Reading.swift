public import Foundation

extension NSManagedObjectModel {
  /// Reads a model document: the current version of an `.xcdatamodeld` folder, or an `.xcdatamodel`.
  ///
  /// An addition: Apple's initializer tells nothing of the reason.
  ///
  /// - Throws: `ModelError` naming file, line, entity and property.
  public class func reading(_ url: URL) throws(ModelError) -> NSManagedObjectModel {
    let contents = try contentsFile(of: url)
    do {
      return try ModelReader.read(Data(contentsOf: contents), path: contents.path)
    } catch let error as ModelError {
      throw error
    } catch {
      throw ModelError(
        .unreadable, "The model document cannot be read: \(error.localizedDescription)",
        path: contents.path)
    }
  }

  /// Reads a model document: the current version of an `.xcdatamodeld` folder, or an `.xcdatamodel`.
  ///
  /// An addition: Apple's initializer tells nothing of the reason.
  ///
  /// - Throws: `ModelError` naming file, line, entity and property.
  public convenience init(reading url: URL) throws(ModelError) {
    let model = try NSManagedObjectModel.reading(url)
    self.init()
    adopt(model)
  }

  /// Reads a model document; nil when it cannot be read.
  ///
  /// > Reference: Apple, init(contentsOf:). Reads model documents; compiled models are not read yet.
  public convenience init?(contentsOf url: URL) {
    guard let model = try? NSManagedObjectModel.reading(url) else { return nil }
    self.init()
    adopt(model)
  }

  func adopt(_ model: NSManagedObjectModel) {
    entities = model.entities
    versionIdentifiers = model.versionIdentifiers
    adoptConfigurations(model.allConfigurations)
  }

  /// All models found in bundles, merged into one; nil when there is none.
  public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    let models = (bundles ?? [.main]).flatMap { documents(in: $0) }
      .compactMap { NSManagedObjectModel(contentsOf: $0) }
    guard !models.isEmpty else { return nil }
    return NSManagedObjectModel(byMerging: models)
  }

  /// The union of models; nil when two of them have different entities of the same name.
  ///
  /// > Reference: Apple, init(byMerging:). Differs: Apple's raises where this one is nil.
  public convenience init?(byMerging models: [NSManagedObjectModel]?) {
    guard let merged = ModelMerger().merged(models ?? []) else { return nil }
    self.init()
    adopt(merged)
  }

  /// The model of a name in the given bundles, by default in all that the program has loaded.
  package class func model(named name: String, in bundles: [Bundle]?) -> NSManagedObjectModel? {
    for bundle in bundles ?? searchedBundles {
      let found = documents(in: bundle).first {
        $0.deletingPathExtension().lastPathComponent == name
      }
      if let found, let model = NSManagedObjectModel(contentsOf: found) { return model }
    }
    return nil
  }

  /// The program's own bundle and the resource bundles beside it.
  private class var searchedBundles: [Bundle] {
    let folder = Bundle.main.bundleURL
    // A folder that cannot be listed has no bundles.
    let siblings =
      (try? FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)) ?? []
    let resources = siblings.filter { ["resources", "bundle"].contains($0.pathExtension) }
      .sorted { $0.path < $1.path }
    return [.main] + Bundle.allBundles + resources.compactMap { Bundle(url: $0) }
  }

  private class func documents(in bundle: Bundle) -> [URL] {
    ["xcdatamodeld", "xcdatamodel"].flatMap {
      bundle.urls(forResourcesWithExtension: $0, subdirectory: nil) ?? []
    }.map { $0 as URL }
  }

  /// The `contents` document that stands for a URL.
  private class func contentsFile(of url: URL) throws(ModelError) -> URL {
    let files = FileManager.default
    if ["momd", "mom", "omo"].contains(url.pathExtension) {
      throw ModelError(
        .unreadable, "Compiled models cannot be read. Use the .xcdatamodeld they were made from.",
        path: url.path)
    }
    let direct = url.appendingPathComponent("contents")
    if files.fileExists(atPath: direct.path) { return direct }
    guard files.fileExists(atPath: url.path) else {
      throw ModelError(.unreadable, "There is no model document here.", path: url.path)
    }
    var isFolder: ObjCBool = false
    _ = files.fileExists(atPath: url.path, isDirectory: &isFolder)
    if !isFolder.boolValue { return url }
    let version = try currentVersion(in: url)
    let contents = url.appendingPathComponent(version).appendingPathComponent("contents")
    guard files.fileExists(atPath: contents.path) else {
      throw ModelError(
        .unreadable, "The current version \(version) of the model is missing.", path: url.path)
    }
    return contents
  }

  /// The version that `.xccurrentversion` names, else the one named as the folder, else the only one.
  private class func currentVersion(in url: URL) throws(ModelError) -> String {
    let marker = url.appendingPathComponent(".xccurrentversion")
    if let data = try? Data(contentsOf: marker),  // absent when there is only one version
      let plist = try? PropertyListSerialization.propertyList(from: data, format: nil),
      let name = (plist as? [String: Any])?["_XCCurrentVersionName"] as? String, !name.contains("/")
    {
      return name
    }
    // A folder that cannot be listed holds no version.
    let versions = ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [])
      .filter { $0.hasSuffix(".xcdatamodel") }
    let sameName = url.deletingPathExtension().lastPathComponent + ".xcdatamodel"
    if versions.contains(sameName) { return sameName }
    if versions.count == 1, let only = versions.first { return only }
    throw ModelError(
      .unreadable,
      versions.isEmpty
        ? "The folder holds no version of a model."
        : "The folder does not say which version of the model is current. Add .xccurrentversion.",
      path: url.path)
  }
}
