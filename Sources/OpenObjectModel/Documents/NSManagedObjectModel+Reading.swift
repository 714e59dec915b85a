public import Foundation

extension NSManagedObjectModel {
  /// Reads a compiled model or a model document.
  ///
  /// A compiled model is a `.mom` or `.omo` file, or the current version of a `.momd` folder. For
  /// an `.omo` file, the method reads the `.mom` file with the same name. A document is an
  /// `.xcdatamodel` folder, or the current version of an `.xcdatamodeld` folder.
  ///
  /// The method reads localized strings from the file `NAMEModel.strings` next to the model, or
  /// from a file with this name in the subfolder for the user's language.
  ///
  /// Unlike Apple's `init(contentsOf:)`, the method reports why a model cannot be read.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter url: The file or folder of the model.
  /// - Returns: The model, which can still be changed.
  /// - Throws: `ModelError` with code `.unreadable` if the file cannot be read, with code
  ///   `.malformed` if the file is damaged, or with another code if the model is invalid. The error
  ///   contains the file and, if known, the line, the entity and the property.
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

  /// Creates a model from a compiled model or a model document.
  ///
  /// The initializer reads the same files as ``reading(_:)``. Unlike Apple's `init(contentsOf:)`,
  /// this initializer reports why a model cannot be read.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter url: The file or folder of the model.
  /// - Throws: `ModelError` with code `.unreadable` if the file cannot be read, with code
  ///   `.malformed` if the file is damaged, or with another code if the model is invalid. The error
  ///   contains the file and, if known, the line, the entity and the property.
  public convenience init(reading url: URL) throws(ModelError) {
    let model = try NSManagedObjectModel.reading(url)
    self.init()
    adopt(model)
  }

  /// Creates a model from a compiled model or a model document; nil if the model cannot be read.
  ///
  /// The initializer reads the same files as ``reading(_:)``. To learn why a model cannot be read,
  /// use ``init(reading:)``.
  ///
  /// - Parameter url: The file or folder of the model.
  /// > Reference: Apple, init(contentsOf:). Apple's initializer does not read model documents.
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

  /// Returns the union of all models in the given bundles; nil if there are no models, or if two
  /// models conflict.
  ///
  /// Two models conflict if they contain different entities with the same name. The method skips
  /// models that cannot be read.
  ///
  /// - Parameter bundles: The bundles to search; nil for the main bundle.
  public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    let models = (bundles ?? [.main]).flatMap { modelFiles(in: $0) }
      .compactMap { NSManagedObjectModel(contentsOf: $0) }
    guard !models.isEmpty else { return nil }
    return NSManagedObjectModel(byMerging: models)
  }

  /// Creates the union of the given models; nil if two models contain different entities with the
  /// same name.
  ///
  /// Two entities with the same name are equal if their version hashes are equal. If several models
  /// contain a fetch request template with the same name, the union contains the template of the
  /// first model; the same rule applies to localized strings. If several models contain a
  /// configuration with the same name, the union contains one configuration with the entities of
  /// all these configurations. ``init(merging:)`` reports why models cannot be merged.
  ///
  /// - Parameter models: The models to merge; nil to create an empty model.
  /// > Reference: Apple, init(byMerging:). Differs: Apple's initializer raises an exception instead
  /// > of returning nil.
  public convenience init?(byMerging models: [NSManagedObjectModel]?) {
    // `init(merging:)` reports the reason.
    guard let merged = try? ModelMerger.merged(models ?? []) else { return nil }
    self.init()
    adopt(merged)
  }

  /// Creates the union of the given models.
  ///
  /// Unlike ``init(byMerging:)``, this initializer reports the conflicting entity.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter models: The models, which are not changed.
  /// - Throws: `ModelError` with code `.duplicateName` if two models contain different entities
  ///   with the same name. The error contains this name.
  public convenience init(merging models: [NSManagedObjectModel]) throws(ModelError) {
    let merged = try ModelMerger.merged(models)
    self.init()
    adopt(merged)
  }

  /// Returns the first model with the given name that can be read from bundles; nil if there is
  /// none.
  ///
  /// - Parameters:
  ///   - name: The name of the model's file without an extension.
  ///   - bundles: The bundles to search; nil for ``searchedBundles``.
  /// - Throws: The `ModelError` of the first model with the name, if none of the models with the
  ///   name can be read.
  package class func model(
    named name: String, in bundles: [Bundle]?
  ) throws(ModelError) -> NSManagedObjectModel? {
    var failure: ModelError?
    for bundle in bundles ?? searchedBundles {
      let found = modelFiles(in: bundle).first {
        $0.deletingPathExtension().lastPathComponent == name
      }
      guard let found else { continue }
      do throws(ModelError) { return try reading(found) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    return nil
  }

  /// The bundles in which models are searched by default.
  ///
  /// The program's bundle comes first, then the resources of the program's module, then other
  /// bundles sorted by path. The other bundles are the loaded bundles and the bundles next to the
  /// program. A bundle next to the program may belong to another program.
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

  /// Returns whether a bundle contains the resources of the program's module. SwiftPM names the
  /// bundle `PACKAGE_MODULE.resources` and the program after its module.
  private class func isOfProgram(_ bundle: Bundle) -> Bool {
    guard let program = Bundle.main.executableURL else { return false }
    return bundle.bundleURL.deletingPathExtension().lastPathComponent
      .hasSuffix("_" + program.deletingPathExtension().lastPathComponent)
  }

  /// Returns the URLs of the models in a bundle; empty if there are none.
  ///
  /// Of several models with the same name, the result contains only the first in this order:
  /// `.momd`, `.mom`, `.xcdatamodeld`, `.xcdatamodel`.
  package class func modelFiles(in bundle: Bundle) -> [URL] {
    let found = ["momd", "mom", "xcdatamodeld", "xcdatamodel"].flatMap {
      bundle.urls(forResourcesWithExtension: $0, subdirectory: nil) ?? []
    }.map { $0 as URL }
    var names: Set<String> = []
    return found.filter { names.insert($0.deletingPathExtension().lastPathComponent).inserted }
  }

  /// Returns the `contents` document for a URL.
  private class func contentsFile(of url: URL) throws(ModelError) -> URL {
    let files = FileManager.default
    let direct = url.appendingPathComponent("contents")
    if files.fileExists(atPath: direct.path) { return direct }
    guard files.fileExists(atPath: url.path) else {
      throw ModelError(.unreadable, "The model document does not exist.", path: url.path)
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

  /// Returns the version named in `.xccurrentversion`, or the version with the folder's name, or
  /// the only version.
  class func currentVersion(in url: URL) throws(ModelError) -> String {
    if let name = try markedVersion(in: url) { return name }
    // A folder that cannot be listed contains no version.
    let versions = ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [])
      .filter { $0.hasSuffix(".xcdatamodel") }
    let sameName = url.deletingPathExtension().lastPathComponent + ".xcdatamodel"
    if versions.contains(sameName) { return sameName }
    if versions.count == 1, let only = versions.first { return only }
    throw ModelError(
      .unreadable,
      versions.isEmpty
        ? "The folder does not contain a version of a model."
        : "The folder does not specify the current version of the model. Add .xccurrentversion.",
      path: url.path)
  }

  /// Returns the name of the current version that the file `.xccurrentversion` contains.
  ///
  /// The result is nil if the file is missing, as in folders with one version. The result is also
  /// nil if the file contains no valid name. The method does not check that the version exists.
  ///
  /// - Throws: `ModelError` with code `.unreadable` if the file exists but cannot be read. Without
  ///   this error, the other rules for the current version could select an older version.
  package class func markedVersion(in url: URL) throws(ModelError) -> String? {
    let list = try PropertyListDictionary.read(
      at: url.appendingPathComponent(".xccurrentversion"),
      ifDamaged:
        "The file does not specify the current version of the model, because it is damaged or cannot be read. "
        + "Restore the file.")
    let name = list?["_XCCurrentVersionName"] as? String
    return name.flatMap { $0.contains("/") ? nil : $0 }
  }
}
