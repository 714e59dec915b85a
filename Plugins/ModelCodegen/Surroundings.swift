import Foundation
import PackagePlugin

/// The declarations that a target's rewritten sources can reference: the other sources and models
/// of the
/// target and of its dependencies.
struct Surroundings {
  /// A model, and whether the plug-in writes classes for all its entities.
  struct Model {
    let item: TargetContents.Item
    let configuration: Configuration
    /// Whether the model belongs to the target itself.
    let isOwn: Bool
  }

  /// Sources that are only read.
  private(set) var sources: [URL] = []
  private(set) var models: [Model] = []
  /// The names of all modules, that of the target among them.
  private(set) var modules: Set<String> = ["CoreData", "Foundation"]
  private var visited: Set<String> = []

  /// Examines a target and its dependencies.
  ///
  /// - Throws: `ConfigurationError` for a dependency whose configuration cannot be read.
  init(of target: any Target, contents: TargetContents, configuration: Configuration) throws {
    visited.insert(target.id)
    models = contents.models.map {
      Model(item: $0, configuration: configuration, isOwn: true)
    }
    addModule(of: target)
    // These sources come first: if two modules declare a class with the same name, the target's sources refer to
    // their own class.
    sources = Self.compiledSources(of: target)
    for dependency in target.dependencies { try add(dependency) }
  }

  private static func compiledSources(of target: any Target) -> [URL] {
    let files = (target as? SourceModuleTarget)?.sourceFiles.map(\.url) ?? []
    return files.filter { $0.pathExtension == "swift" }
  }

  private mutating func add(_ dependency: TargetDependency) throws {
    switch dependency {
    case .target(let target): try add(target, takesAllSources: true)
    case .product(let product):
      // Of other packages, only targets with models or sources to rewrite are likely to have managed classes.
      for target in product.targets { try add(target, takesAllSources: false) }
    @unknown default: return
    }
  }

  private mutating func add(_ target: any Target, takesAllSources: Bool) throws {
    guard visited.insert(target.id).inserted, let module = target as? SourceModuleTarget,
      module.kind != .macro
    else { return }
    addModule(of: target)
    let configuration = try Configuration.read(in: target.directoryURL)
    let contents = try TargetContents(folder: target.directoryURL, configuration: configuration)
    guard takesAllSources || !contents.sources.isEmpty || !contents.models.isEmpty else { return }
    sources += contents.sources.map(\.url) + Self.compiledSources(of: target)
    models += contents.models.map {
      Model(item: $0, configuration: configuration, isOwn: false)
    }
    for dependency in target.dependencies { try add(dependency) }
  }

  private mutating func addModule(of target: any Target) {
    if let name = (target as? SourceModuleTarget)?.moduleName { modules.insert(name) }
  }
}
