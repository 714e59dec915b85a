import Foundation
import PackagePlugin

/// The models, the mapping models and the sources to rewrite of one target.
struct TargetContents {
  /// A file or folder, with the path that determines the output's name.
  struct Item {
    let url: URL
    let relativePath: String

    /// The name of the compiled form of a model or a mapping model.
    var resourceName: String {
      let endings = ["xcdatamodeld": ".momd", "xcmappingmodel": ".cdm"]
      return url.deletingPathExtension().lastPathComponent
        + (endings[url.pathExtension] ?? ".mom")
    }
  }

  let models: [Item]
  let sources: [Item]
  /// The models that are compiled for the target's resources: all but those that the target has in compiled form, and
  /// of several with one name the first.
  let resources: [Item]
  /// The mapping models that are compiled for the target's resources, chosen in the same way.
  let mappings: [Item]

  /// Scans a target's folder.
  ///
  /// - Throws: `ConfigurationError` if a named file or folder does not exist.
  init(folder: URL, configuration: Configuration) throws {
    let found = Self.walk(folder)
    if let names = configuration.models {
      models = try names.map { try Self.existing($0, in: folder) }
    } else {
      models = found.filter { Self.isModel($0.relativePath) }
    }
    sources = try Self.sources(folder, configuration)
    var names = Set(found.map(\.url.lastPathComponent))
    resources = models.filter { names.insert($0.resourceName).inserted }
    mappings = found.filter {
      $0.url.pathExtension == "xcmappingmodel" && names.insert($0.resourceName).inserted
    }
  }

  /// Rejects sources that would be compiled both unchanged and rewritten, which would cause
  /// hundreds of errors.
  ///
  /// - Throws: `ConfigurationError` that says what to exclude.
  func checkExcluded(from target: any Target, _ configuration: Configuration) throws {
    let files = (target as? SourceModuleTarget)?.sourceFiles.map(\.url.standardizedFileURL.path)
    let compiled = Set(files ?? [])
    let forgotten = sources.filter { compiled.contains($0.url.standardizedFileURL.path) }
    guard let first = forgotten.first else { return }
    let folders = (configuration.sources ?? [Configuration.defaultSources]).filter { name in
      forgotten.contains { $0.relativePath == name || $0.relativePath.hasPrefix(name + "/") }
    }
    let list = folders.map { "\"\($0)\"" }.joined(separator: ", ")
    throw ConfigurationError(
      description:
        "The target \(target.name) compiles both \(first.relativePath) and the rewritten form of this file. "
        + "Add exclude: [\(list)] to the target in Package.swift.")
  }

  private static func sources(_ folder: URL, _ configuration: Configuration) throws -> [Item] {
    let standard = folder.appendingPathComponent(Configuration.defaultSources)
    let hasStandard = FileManager.default.fileExists(atPath: standard.path)
    let names = configuration.sources ?? (hasStandard ? [Configuration.defaultSources] : [])
    let items = try names.flatMap { name in
      let item = try existing(name, in: folder)
      if name.hasSuffix(".swift") { return [item] }
      return walk(item.url, prefix: name + "/").filter { $0.relativePath.hasSuffix(".swift") }
    }
    return items.sorted { $0.relativePath < $1.relativePath }
  }

  private static func existing(_ name: String, in folder: URL) throws -> Item {
    let url = folder.appendingPathComponent(name)
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw ConfigurationError(
        description:
          "\(Configuration.fileName) lists \(name), which does not exist in \(folder.path)")
    }
    return Item(url: url, relativePath: name)
  }

  /// Returns the sorted contents of a folder, except hidden files and the contents of models.
  private static func walk(_ folder: URL, prefix: String = "") -> [Item] {
    // A folder that cannot be listed is empty.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { !$0.hasPrefix(".") }.flatMap { name -> [Item] in
      let item = Item(url: folder.appendingPathComponent(name), relativePath: prefix + name)
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: item.url.path, isDirectory: &isFolder)
      if isModel(name) || isOtherBundle(name) || !isFolder.boolValue { return [item] }
      return walk(item.url, prefix: item.relativePath + "/")
    }
  }

  /// Whether a folder is a compiled model or a mapping model.
  private static func isOtherBundle(_ name: String) -> Bool {
    name.hasSuffix(".momd") || name.hasSuffix(".xcmappingmodel")
  }

  private static func isModel(_ name: String) -> Bool {
    name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel")
  }
}
