public import Foundation

/// One entity: a name, a class, properties, and its place in an inheritance tree.
///
/// > Concurrency: Confined to one thread until the model is used; from then on safe to read from any.
/// > Reference: Apple, NSEntityDescription.
open class NSEntityDescription: NSObject, NSCopying {
  weak var owner: NSManagedObjectModel?
  private var className: String?
  private(set) var ownProperties: [NSPropertyDescription] = []
  private var children: [NSEntityDescription] = []
  /// How properties, indexes, sub-entities and relationships find the entity: each object's making keeps and lets go
  /// of it, which weak references would slow down.
  let weakReference = WeakReference<NSEntityDescription>()
  private var parentReference: WeakReference<NSEntityDescription>?
  private var parent: NSEntityDescription? {
    get { parentReference?.target }
    set { parentReference = newValue?.weakReference }
  }
  private var indexList: [NSFetchIndexDescription] = []
  private var constraints: [[Any]] = []
  /// The compiled form, once the model is in use.
  // Not a plain field, which would be checked for overlapping access from other modules.
  public internal(set) final var compiled: CompiledEntity? {
    @inline(never) get { compiledForm }
    set { compiledForm = newValue }
  }
  /// The compiled form, which is never released, without a reference to count.
  package final var uncountedCompiled: Unmanaged<CompiledEntity>? {
    @inline(never) get { compiledForm.map(Unmanaged.passUnretained) }
  }
  @exclusivity(unchecked) private final var compiledForm: CompiledEntity?
  /// Application-defined information about the entity.
  open var userInfo: [AnyHashable: Any]? = [:]
  /// A modifier that changes the version hash.
  open var versionHashModifier: String? { didSet { checkMutable() } }
  private var renaming: String?

  /// Creates an entity without name and properties.
  public override init() {
    super.init()
    weakReference.begin(self)
  }

  deinit { weakReference.end() }

  func checkMutable() { owner?.checkMutable() }

  /// The entity's name.
  open var name: String? { didSet { checkMutable() } }
  /// Whether the entity is abstract.
  open var isAbstract = false { didSet { checkMutable() } }

  /// The name of the class of the entity's objects; nil means `NSManagedObject`.
  ///
  /// In a document, `.Name` means a class of the module that compiles the model, and is read as `Name`.
  open var managedObjectClassName: String! {
    get {
      guard let className else { return "NSManagedObject" }
      return className.hasPrefix(".") ? String(className.dropFirst()) : className
    }
    set {
      checkMutable()
      className = newValue
    }
  }

  /// The model that the entity belongs to.
  open var managedObjectModel: NSManagedObjectModel { owner ?? NSManagedObjectModel() }
  /// The entity's name before it was renamed; the name itself by default.
  open var renamingIdentifier: String? {
    get { renaming ?? name }
    set {
      checkMutable()
      renaming = newValue
    }
  }
  var ownRenamingIdentifier: String? { renaming }
  var ownClassName: String? { className }

  /// The direct descendants; setting them makes this entity their parent.
  open var subentities: [NSEntityDescription] {
    get { children }
    set {
      checkMutable()
      for child in children where child.parent === self { child.parent = nil }
      children = newValue
      for child in newValue { child.parent = self }
    }
  }

  /// The direct descendants by name.
  open var subentitiesByName: [String: NSEntityDescription] {
    Dictionary(children.map { ($0.name ?? "", $0) }) { first, _ in first }
  }

  /// The parent.
  open var superentity: NSEntityDescription? { parent }

  /// The entity's own and inherited properties; setting them replaces its own properties and removes its indexes.
  open var properties: [NSPropertyDescription] {
    get { inheritedProperties + ownProperties }
    set {
      checkMutable()
      let inherited = Set(inheritedProperties.map(ObjectIdentifier.init))
      ownProperties = newValue.filter { !inherited.contains(ObjectIdentifier($0)) }
      for property in ownProperties { property.owner = self }
      indexList = []
    }
  }

  /// Properties of all ancestors; a circle of parents is left at the second visit.
  private var inheritedProperties: [NSPropertyDescription] {
    var lists: [[NSPropertyDescription]] = []
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
    var current = parent
    while let ancestor = current, seen.insert(ObjectIdentifier(ancestor)).inserted {
      lists.append(ancestor.ownProperties)
      current = ancestor.parent
    }
    return lists.reversed().flatMap { $0 }
  }

  /// All properties by name.
  open var propertiesByName: [String: NSPropertyDescription] {
    Dictionary(properties.map { ($0.name, $0) }) { first, _ in first }
  }

  /// All attributes by name.
  open var attributesByName: [String: NSAttributeDescription] {
    propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
  }

  /// All relationships by name.
  open var relationshipsByName: [String: NSRelationshipDescription] {
    propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
  }

  /// The relationships whose destination is an entity.
  ///
  /// - Returns: The relationships whose destination is an entity.
  open func relationships(
    forDestination entity: NSEntityDescription
  ) -> [NSRelationshipDescription] {
    relationshipsByName.values.filter { $0.destinationEntity === entity }
      .sorted { $0.name < $1.name }
  }

  /// Whether the entity is the given entity or one of its descendants.
  ///
  /// - Returns: `true` if the entity is the given entity or one of its descendants.
  open func isKindOf(entity: NSEntityDescription) -> Bool {
    var current: NSEntityDescription? = self
    var seen: Set<ObjectIdentifier> = []
    while let candidate = current, seen.insert(ObjectIdentifier(candidate)).inserted {
      if candidate === entity { return true }
      current = candidate.parent
    }
    return false
  }

  /// Fetch indexes; set them after the properties.
  open var indexes: [NSFetchIndexDescription] {
    get { indexList }
    set {
      checkMutable()
      indexList = newValue
      for index in newValue { index.adopt(self) }
    }
  }

  /// Attributes whose combined values must be unique: names or descriptions, which are returned as names.
  open var uniquenessConstraints: [[Any]] {
    get { constraintNames }
    set {
      checkMutable()
      constraints = newValue
    }
  }

  var constraintNames: [[String]] { names(in: constraints) }

  /// Groups of property names; a property may be used in place of its name.
  func names(in groups: [[Any]]) -> [[String]] {
    groups.map { group in
      group.compactMap { ($0 as? NSPropertyDescription)?.name ?? $0 as? String }
    }
  }

  /// Groups of properties to index together, in older models; replaced by fetch indexes.
  open var compoundIndexes: [[Any]] = [] { didSet { checkMutable() } }

  /// A copy without a model, with copies of its own properties, and without parent, sub-entities and inverses.
  ///
  /// - Returns: The copy.
  open func copy(with zone: NSZone? = nil) -> Any { ModelCopier().detachedCopy(of: self) }

  open override var description: String { "(entity: \(name ?? "?"))" }
}
