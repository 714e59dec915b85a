import Foundation
import PackagePlugin

/// What the sources of a target may refer to: the models and sources of the targets that it depends on.
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
    for dependency in target.dependencies { try add(dependency) }
  }

  private mutating func add(_ dependency: TargetDependency) throws {
    switch dependency {
    case .target(let target): try add(target, takesAllSources: true)
    case .product(let product):
      // Of other packages, only targets that are rewritten too are likely to have managed classes.
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
    guard takesAllSources || !contents.sources.isEmpty else { return }
    let compiled = module.sourceFiles.map(\.url).filter { $0.pathExtension == "swift" }
    sources += contents.sources.map(\.url) + compiled
    models += contents.models.map {
      Model(item: $0, configuration: configuration, isOwn: false)
    }
    for dependency in target.dependencies { try add(dependency) }
  }

  private mutating func addModule(of target: any Target) {
    if let name = (target as? SourceModuleTarget)?.moduleName { modules.insert(name) }
  }
}
