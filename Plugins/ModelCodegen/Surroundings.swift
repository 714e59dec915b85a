import Foundation
import PackagePlugin

/// What a target's rewritten sources may refer to: its other sources and its models, and those of the
/// targets that it depends on.
struct Surroundings {
  /// A model, and whether classes are written of all its entities.
  struct Model {
    let item: TargetContents.Item
    let configuration: Configuration
    /// Whether the model is one of the target itself.
    let isOwn: Bool
  }

  /// Sources that are only read.
  private(set) var sources: [URL] = []
  private(set) var models: [Model] = []
  /// The names of all modules, that of the target among them.
  private(set) var modules: Set<String> = ["CoreData", "Foundation"]
  private var visited: Set<String> = []

  /// Looks at a target and what it depends on.
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
