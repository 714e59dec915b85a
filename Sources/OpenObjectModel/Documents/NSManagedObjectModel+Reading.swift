public import Foundation

extension NSManagedObjectModel {
  /// Reads a model: a compiled one, `.mom`, `.omo` or the current version of a `.momd` folder, or a document,
  /// `.xcdatamodel` or the current version of an `.xcdatamodeld` folder.
  ///
  /// Instead of an optimized model, `.omo`, the `.mom` file of the same name is read.
  ///
  /// Localized texts are read from `NAMEModel.strings` in the model's folder, in the user's language if available.
  ///
  /// An addition: Apple's initializer does not report the reason.
  ///
  /// - Returns: The model.
  /// - Throws: `ModelError` naming file, line, entity and property.
  public class func reading(_ url: URL) throws(ModelError) -> NSManagedObjectModel {
    let model =
      switch url.pathExtension {
      case "momd": try CompiledModelFolder.currentVersion(at: url)
      case "mom": try CompiledModelFolder.model(at: url)
      case "omo": try CompiledModelFolder.model(optimizedAt: url)
      default: try readingDocument(url)
      }
    model.origin = url
    model.localizationDictionary = ModelTexts.texts(ofModelAt: url)
    return model
  }

  private class func readingDocument(_ url: URL) throws(ModelError) -> NSManagedObjectModel {
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

  /// Reads a model: a compiled one, `.mom`, `.omo` or the current version of a `.momd` folder, or a document,
  /// `.xcdatamodel` or the current version of an `.xcdatamodeld` folder.
  ///
  /// Instead of an optimized model, `.omo`, the `.mom` file of the same name is read.
  ///
  /// Localized texts are read from `NAMEModel.strings` in the model's folder, in the user's language if available.
  ///
  /// An addition: Apple's initializer does not report the reason.
  ///
  /// - Throws: `ModelError` naming file, line, entity and property.
  public convenience init(reading url: URL) throws(ModelError) {
    let model = try NSManagedObjectModel.reading(url)
    self.init()
    adopt(model)
  }

  /// Reads a compiled model or a model document; nil when it cannot be read.
  ///
  /// > Reference: Apple, init(contentsOf:). Reads model documents too, which Apple's needs compiled.
  public convenience init?(contentsOf url: URL) {
    guard let model = try? NSManagedObjectModel.reading(url) else { return nil }
    self.init()
    adopt(model)
  }

  func adopt(_ model: NSManagedObjectModel) {
    origin = model.origin
    entities = model.entities
    versionIdentifiers = model.versionIdentifiers
    localizationDictionary = model.localizationDictionary
    fetchTemplates = model.fetchTemplates
    adoptConfigurations(model.allConfigurations)
  }

  /// All models found in bundles, merged into one; nil when there is none.
  ///
  /// - Returns: All models found in bundles, merged into one; nil when there is none.
  public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    let models = (bundles ?? [.main]).flatMap { modelFiles(in: $0) }
      .compactMap { NSManagedObjectModel(contentsOf: $0) }
    guard !models.isEmpty else { return nil }
    return NSManagedObjectModel(byMerging: models)
  }

  /// The union of models; nil when two of them have different entities of the same name.
  ///
  /// Entities with the same name are equal if their version hashes are. Of fetch templates and localized strings with
  /// the same name, those of the first model are used; configurations contain the entities of all models.
  ///
  /// > Reference: Apple, init(byMerging:). Differs: Apple's raises an exception instead of returning nil; `init(merging:)` reports
  /// > the reason.
  public convenience init?(byMerging models: [NSManagedObjectModel]?) {
    // `init(merging:)` tells why.
    guard let merged = try? ModelMerger.merged(models ?? []) else { return nil }
    self.init()
    adopt(merged)
  }

  /// The union of models.
  ///
  /// An addition: `init(byMerging:)` does not report the conflicting entity.
  ///
  /// - Parameter models: The models; they are not changed.
  /// - Throws: `ModelError` with code `.duplicateName` and the name of an entity that differs between models.
  public convenience init(merging models: [NSManagedObjectModel]) throws(ModelError) {
    let merged = try ModelMerger.merged(models)
    self.init()
    adopt(merged)
  }

  /// The model of a name in the given bundles, by default in all that the program has loaded.
  package class func model(named name: String, in bundles: [Bundle]?) -> NSManagedObjectModel? {
    for bundle in bundles ?? searchedBundles {
      let found = modelFiles(in: bundle).first {
        $0.deletingPathExtension().lastPathComponent == name
      }
      if let found, let model = NSManagedObjectModel(contentsOf: found) { return model }
    }
    return nil
  }

  /// The program's bundle, then the resources of its module, then the other bundles by path: those that are loaded, and those
  /// beside the program, which may belong to another program.
  package class var searchedBundles: [Bundle] {
    let folder = Bundle.main.bundleURL
    // A folder that cannot be listed has no bundles.
    let siblings =
      (try? FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)) ?? []
    let resources = siblings.filter { ["resources", "bundle"].contains($0.pathExtension) }
      .compactMap { Bundle(url: $0) }
    var paths: Set<String> = [Bundle.main.bundlePath]
    let others = (Bundle.allBundles + resources).filter { paths.insert($0.bundlePath).inserted }
      .sorted { $0.bundlePath < $1.bundlePath }
    return [.main] + others.filter(isOfProgram) + others.filter { !isOfProgram($0) }
  }

  /// Whether a bundle has the resources of the program's module. SwiftPM names the bundle `PACKAGE_MODULE.resources`, and a program
  /// after its module.
  private class func isOfProgram(_ bundle: Bundle) -> Bool {
    guard let program = Bundle.main.executableURL else { return false }
    return bundle.bundleURL.deletingPathExtension().lastPathComponent
      .hasSuffix("_" + program.deletingPathExtension().lastPathComponent)
  }

  /// Models in a bundle; of those with one name, a compiled one goes before its source.
  package class func modelFiles(in bundle: Bundle) -> [URL] {
    let found = ["momd", "mom", "xcdatamodeld", "xcdatamodel"].flatMap {
      bundle.urls(forResourcesWithExtension: $0, subdirectory: nil) ?? []
    }.map { $0 as URL }
    var names: Set<String> = []
    return found.filter { names.insert($0.deletingPathExtension().lastPathComponent).inserted }
  }

  /// The `contents` document for a URL.
  private class func contentsFile(of url: URL) throws(ModelError) -> URL {
    let files = FileManager.default
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
  class func currentVersion(in url: URL) throws(ModelError) -> String {
    let marker = url.appendingPathComponent(".xccurrentversion")
    if let data = try? Data(contentsOf: marker),  // absent when there is only one version
      let name = PropertyListDictionary.read(data)?["_XCCurrentVersionName"] as? String,
      !name.contains("/")
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
        ? "The folder contains no version of a model."
        : "The folder does not say which version of the model is current. Add .xccurrentversion.",
      path: url.path)
  }
}
