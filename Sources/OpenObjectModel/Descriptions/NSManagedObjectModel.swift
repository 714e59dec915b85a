public import Foundation
internal import OpenPredicates

/// The entities that a program's objects belong to, and how they relate.
///
/// Created in code or read from a model document; frozen when it is first used.
///
/// > Concurrency: Confined to one thread until it is used; from then on safe to read from any.
/// > Reference: Apple, NSManagedObjectModel.
open class NSManagedObjectModel: NSObject, NSCopying {
  private var entityList: [NSEntityDescription] = []
  private var configurationNames: [String: [NSEntityDescription]] = [:]
  private var compiledModel: CompiledModel?
  /// The names of the model's version, for information only.
  open var versionIdentifiers: Set<AnyHashable> = [] { didSet { checkMutable() } }
  /// Localized strings to show instead of names; keys as `Entity/Book` or `Property/title/Entity/Book`.
  open var localizationDictionary: [String: String]? { didSet { checkMutable() } }

  /// Fetches kept by name; the object graph shows them as fetch requests.
  package var fetchTemplates: [String: FetchTemplate] = [:] { didSet { checkMutable() } }

  /// The file or folder that the model was read from; its other versions are there too.
  package internal(set) var origin: URL?

  /// Creates an empty model.
  public override init() { super.init() }

  /// Whether the model is in use and can no longer be changed.
  open var isFrozen: Bool { compiledModel != nil }

  func checkMutable() {
    precondition(!isFrozen, "Can't modify an immutable model. Change a copy of it.")
  }

  /// The names of the entities.
  open override var description: String {
    DebugText.text(
      of: self, ["entities": entities.compactMap(\.name).sorted().map(DebugText.Verbatim.init)])
  }

  /// The entities.
  open var entities: [NSEntityDescription] {
    get { entityList }
    set {
      checkMutable()
      entityList = newValue
      for entity in newValue { entity.owner = self }
    }
  }

  /// The entities by name.
  open var entitiesByName: [String: NSEntityDescription] {
    Dictionary(entityList.map { ($0.name ?? "", $0) }) { first, _ in first }
  }

  /// The names of the configurations.
  open var configurations: [String] { configurationNames.keys.sorted() }

  /// The name of the configuration that has all entities.
  package static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

  /// The entities of a configuration; all for nil, nil for an unknown name.
  ///
  /// - Returns: The entities of a configuration; nil if there is none.
  open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
    guard let configuration, configuration != Self.defaultConfigurationName else {
      return entityList
    }
    return configurationNames[configuration]
  }

  /// Creates a configuration of entities of the model.
  open func setEntities(
    _ entities: [NSEntityDescription], forConfigurationName configuration: String
  ) {
    checkMutable()
    configurationNames[configuration] = entities
  }

  /// The compiled form; freezes the model at the first call.
  ///
  /// - Returns: The compiled form.
  /// - Throws: `ModelError` if the model cannot be used; it can still be changed then.
  open func compiled() throws(ModelError) -> CompiledModel {
    if let compiledModel { return compiledModel }
    let compiled = try CompiledModel(self)
    compiledModel = compiled
    for entity in entityList {
      entity.compiled = entity.name.flatMap { compiled.entity(named: $0) }
      if let form = entity.compiled { CompiledDescriptions.set(entity, for: form) }
    }
    return compiled
  }

  /// A deep copy that can be changed.
  ///
  /// - Returns: The copy.
  open func copy(with zone: NSZone? = nil) -> Any { ModelCopier().copy(self) }

  func adoptConfigurations(_ names: [String: [NSEntityDescription]]) { configurationNames = names }
  var allConfigurations: [String: [NSEntityDescription]] { configurationNames }
}

/// The descriptions that compiled entities were made from.
enum CompiledDescriptions {
  // Invariant: guarded by its lock; a description is frozen when it is entered.
  private final class Table: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [UInt32: NSEntityDescription] = [:]

    func set(_ description: NSEntityDescription, _ token: UInt32) {
      lock.withLock { entries[token] = description }
    }

    func get(_ token: UInt32) -> NSEntityDescription? { lock.withLock { entries[token] } }
  }

  private static let table = Table()

  static func set(_ description: NSEntityDescription, for entity: CompiledEntity) {
    table.set(description, entity.token)
  }

  static func description(of entity: CompiledEntity) -> NSEntityDescription? {
    table.get(entity.token)
  }
}

extension CompiledEntity {
  /// The description that the entity was compiled from.
  public var entityDescription: NSEntityDescription {
    CompiledDescriptions.description(of: self) ?? NSEntityDescription()
  }
}
