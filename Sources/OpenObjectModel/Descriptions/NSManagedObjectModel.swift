public import Foundation
internal import OpenPredicates

/// A description of a program's entities and their relationships.
///
/// Create a model in code, or read a model from a file. A model is in use once a coordinator has
/// been created with the model, or once `compiled()` has returned. A model in use cannot be
/// changed: the setters of the model and its descriptions trap, except the setters of `userInfo`.
/// Change a copy of the model instead.
///
/// > Concurrency: Change the model on one thread only. Afterward, several threads may create
/// > coordinators with the model at the same time. As soon as the model is in use, any thread may
/// > read the model.
/// > Reference: Apple, NSManagedObjectModel.
open class NSManagedObjectModel: NSObject, NSCopying {
  private var entityList: [NSEntityDescription] = []
  private var configurationNames: [String: [NSEntityDescription]] = [:]
  private var compiledModel: CompiledModel?
  /// Guards the first use of the model: several threads may create coordinators with the model at
  /// the same time.
  private let firstUse = NSRecursiveLock()
  /// The identifiers of the model's version; empty by default. The library does not compare
  /// versions by these identifiers.
  open var versionIdentifiers: Set<AnyHashable> = [] { didSet { checkMutable() } }
  /// Localized strings for the names in the model, with keys such as `Entity/Book` or
  /// `Property/title/Entity/Book`; nil if the model has no localized strings.
  open var localizationDictionary: [String: String]? { didSet { checkMutable() } }

  /// The fetch request templates, by name.
  package var fetchTemplates: [String: FetchTemplate] = [:] { didSet { checkMutable() } }

  /// The file or folder from which the model was read; nil if the model was not read from a file.
  ///
  /// The folder may contain other versions.
  package internal(set) var origin: URL?

  /// Whether the objects of all entities have the class `NSManagedObject`; false by default. The
  /// entities keep their class names, which stores write with the model.
  package var usesPlainObjects = false { didSet { checkMutable() } }

  /// Creates an empty model.
  public override init() { super.init() }

  /// Whether the model is in use and can therefore no longer be changed.
  ///
  /// The property is false for a model that ``compiled()`` has rejected as invalid.
  open var isFrozen: Bool { firstUse.withLock { compiledModel != nil } }

  func checkMutable() {
    precondition(!isFrozen, "Can't modify an immutable model. Change a copy of it.")
  }

  /// A description that lists the names of the model's entities.
  open override var description: String {
    DebugText.text(
      of: self, ["entities": entities.compactMap(\.name).sorted().map(DebugText.Verbatim.init)])
  }

  /// The entities of the model.
  open var entities: [NSEntityDescription] {
    get { entityList }
    set {
      checkMutable()
      entityList = newValue
      for entity in newValue { entity.owner = self }
    }
  }

  /// The entities of the model, keyed by name. The key of an entity without a name is an empty
  /// string. If several entities have the same name, the dictionary contains the first of them.
  open var entitiesByName: [String: NSEntityDescription] {
    Dictionary(entityList.map { ($0.name ?? "", $0) }) { first, _ in first }
  }

  /// The names of the configurations, sorted.
  ///
  /// The names include `PF_DEFAULT_CONFIGURATION_NAME`, the name of the configuration that contains
  /// all entities.
  open var configurations: [String] {
    Set(configurationNames.keys).union([Self.defaultConfigurationName]).sorted()
  }

  /// The name of the configuration that contains all entities.
  package static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

  /// Returns the entities of a configuration; nil if the model has no configuration with the given
  /// name.
  ///
  /// - Parameter configuration: The name of the configuration; nil or
  ///   `PF_DEFAULT_CONFIGURATION_NAME` for all entities of the model.
  open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
    guard let configuration, configuration != Self.defaultConfigurationName else {
      return entityList
    }
    return configurationNames[configuration]
  }

  /// Creates or replaces a configuration.
  ///
  /// - Parameters:
  ///   - entities: The entities of the configuration, which must be part of the model. The method
  ///     does not check this requirement.
  ///   - configuration: The name of the configuration. For `PF_DEFAULT_CONFIGURATION_NAME`, which
  ///     always contains all entities, the method does nothing.
  open func setEntities(
    _ entities: [NSEntityDescription], forConfigurationName configuration: String
  ) {
    checkMutable()
    guard configuration != Self.defaultConfigurationName else { return }
    configurationNames[configuration] = entities
  }

  /// Returns the compiled form of the model; the first successful call freezes the model.
  ///
  /// - Throws: `ModelError` if the model is invalid; ``ModelError/Code`` describes each code. An
  ///   invalid model can still be changed.
  /// > Concurrency: Any thread may call the method, and several threads may call it at the same
  /// > time.
  open func compiled() throws(ModelError) -> CompiledModel {
    firstUse.lock()
    defer { firstUse.unlock() }
    if let compiledModel { return compiledModel }
    let compiled = try CompiledModel(self)
    compiledModel = compiled
    for entity in entityList {
      entity.compiled = entity.name.flatMap { compiled.entity(named: $0) }
      if let form = entity.compiled { CompiledDescriptions.set(entity, for: form) }
    }
    return compiled
  }

  /// The version hashes of all entities, keyed by entity name.
  ///
  /// > Reference: Apple, NSManagedObjectModel, entityVersionHashesByName.
  open var entityVersionHashesByName: [String: Data] { versionHashes(of: entities) }

  /// Returns whether the entities of a configuration match the entities in a store's metadata.
  ///
  /// Two entities match if they have the same name and the same version hash. If `configuration` is
  /// nil, the store must have exactly the entities of the model. For a named configuration, the
  /// store may contain additional entities. If the metadata also lists the entities of earlier
  /// model versions, a match with one of these versions is sufficient. The method ignores version
  /// identifiers.
  ///
  /// - Parameters:
  ///   - configuration: The name of a configuration; nil for all entities of the model. If the name
  ///     is unknown, the method returns false.
  ///   - metadata: The metadata of a store.
  /// > Reference: Apple, NSManagedObjectModel,
  /// > isConfiguration(withName:compatibleWithStoreMetadata:).
  open func isConfiguration(
    withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
  ) -> Bool {
    matches(metadata, inConfiguration: configuration)
  }

  /// Returns a mutable deep copy of the model.
  open func copy(with zone: NSZone? = nil) -> Any { ModelCopier().copy(self) }

  /// Returns whether another object is a model with equal entities, configurations, fetch request
  /// templates and version identifiers.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectModel else { return false }
    return self === other || DescriptionEquality.areEqual(self, other)
  }

  /// A hash value computed from the names of the model's entities.
  open override var hash: Int { Set(entityList.map(\.name)).hashValue }

  func adoptConfigurations(_ names: [String: [NSEntityDescription]]) { configurationNames = names }
  var allConfigurations: [String: [NSEntityDescription]] { configurationNames }
}

/// The descriptions from which compiled entities were created.
enum CompiledDescriptions {
  // Invariant: the lock guards the table, and a description is frozen before it is added.
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
  /// The description from which the entity was compiled.
  ///
  /// If the model was compiled with ``CompiledModel/init(_:)`` instead of
  /// ``NSManagedObjectModel/compiled()``, the property returns a new, empty description.
  public var entityDescription: NSEntityDescription {
    CompiledDescriptions.description(of: self) ?? NSEntityDescription()
  }
}
