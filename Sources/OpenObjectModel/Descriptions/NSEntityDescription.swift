public import Foundation

/// A description of an entity: its name, class, properties, and position in an inheritance tree.
///
/// If the entity belongs to a model that is in use, setting any property of the description except
/// ``userInfo`` traps.
///
/// > Concurrency: Confined to one thread until the model is used; afterward, any thread may read
/// > the entity.
/// > Reference: Apple, NSEntityDescription.
open class NSEntityDescription: NSObject, NSCopying {
  weak var owner: NSManagedObjectModel?
  private var className: String?
  private(set) var ownProperties: [NSPropertyDescription] = []
  private var children: [NSEntityDescription] = []
  /// The reference by which properties, indexes, subentities and relationships find the entity.
  /// Creating an object retains and releases its entity, which Swift's weak references would slow
  /// down.
  let weakReference = WeakReference<NSEntityDescription>()
  private var parentReference: WeakReference<NSEntityDescription>?
  private var parent: NSEntityDescription? {
    get { parentReference?.target }
    set { parentReference = newValue?.weakReference }
  }
  private var indexList: [NSFetchIndexDescription] = []
  private var constraints: [[Any]] = []
  /// The compiled form of the entity; nil until the model is in use.
  // Not a plain field, which other modules would check for exclusive access.
  public internal(set) final var compiled: CompiledEntity? {
    @inline(never) get { compiledForm }
    set { compiledForm = newValue }
  }
  /// The compiled form, without reference counting; nil until the model is compiled. Compiled
  /// entities are never released.
  package final var uncountedCompiled: Unmanaged<CompiledEntity>? {
    @inline(never) get { compiledForm.map(Unmanaged.passUnretained) }
  }
  @exclusivity(unchecked) private final var compiledForm: CompiledEntity?
  /// Application-defined information about the entity; an empty dictionary by default.
  open var userInfo: [AnyHashable: Any]? = [:]
  /// A string that changes the version hash, to distinguish versions of the entity that are
  /// otherwise equal; nil by default.
  open var versionHashModifier: String? { didSet { checkMutable() } }
  private var renaming: String?

  /// Creates an entity without a name or properties.
  public override init() {
    super.init()
    weakReference.begin(self)
  }

  deinit { weakReference.end() }

  func checkMutable() { owner?.checkMutable() }

  /// The name of the entity; nil until you set a name.
  open var name: String? { didSet { checkMutable() } }
  /// Whether the entity is abstract; false by default. All objects of an abstract entity belong to
  /// its subentities.
  open var isAbstract = false { didSet { checkMutable() } }

  /// The name of the class of the entity's objects; setting nil restores the default,
  /// `NSManagedObject`.
  ///
  /// In a model document, a name with a leading period, such as `.Book`, refers to a class of the
  /// module that contains the model. For this name, the property returns `Book`.
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

  /// The model that contains the entity; a new, empty model if no model contains the entity.
  open var managedObjectModel: NSManagedObjectModel { owner ?? NSManagedObjectModel() }
  /// The name of the entity before it was renamed; by default, the current name of the entity.
  /// Setting nil restores the default.
  open var renamingIdentifier: String? {
    get { renaming ?? name }
    set {
      checkMutable()
      renaming = newValue
    }
  }
  var ownRenamingIdentifier: String? { renaming }
  var ownClassName: String? { className }

  /// The direct subentities of the entity.
  ///
  /// Setting this property makes the entity the superentity of each entity in the new list. Former
  /// subentities that are not in the new list become root entities.
  open var subentities: [NSEntityDescription] {
    get { children }
    set {
      checkMutable()
      for child in children where child.parent === self { child.parent = nil }
      children = newValue
      for child in newValue { child.parent = self }
    }
  }

  /// The direct subentities, keyed by name. The key of a subentity without a name is an empty
  /// string.
  open var subentitiesByName: [String: NSEntityDescription] {
    Dictionary(children.map { ($0.name ?? "", $0) }) { first, _ in first }
  }

  /// The superentity of the entity; nil for a root entity.
  open var superentity: NSEntityDescription? { parent }

  /// The entity's own and inherited properties.
  ///
  /// Setting `properties` replaces the properties that the entity itself declares, and removes the
  /// entity's fetch indexes.
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

  /// The properties of all ancestors; a cycle of parents ends at the second visit.
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

  /// The entity's own and inherited properties, keyed by name. If several properties have the same
  /// name, the dictionary contains the first of these properties.
  open var propertiesByName: [String: NSPropertyDescription] {
    Dictionary(properties.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The entity's own and inherited attributes, keyed by name.
  open var attributesByName: [String: NSAttributeDescription] {
    propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
  }

  /// The entity's own and inherited relationships, keyed by name.
  open var relationshipsByName: [String: NSRelationshipDescription] {
    propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
  }

  /// Returns the entity's own and inherited relationships with the given destination entity, sorted
  /// by name; empty if there are none.
  open func relationships(
    forDestination entity: NSEntityDescription
  ) -> [NSRelationshipDescription] {
    relationshipsByName.values.filter { $0.destinationEntity === entity }
      .sorted { $0.name < $1.name }
  }

  /// Returns whether the entity is the given entity or one of its descendants.
  open func isKindOf(entity: NSEntityDescription) -> Bool {
    var current: NSEntityDescription? = self
    var seen: Set<ObjectIdentifier> = []
    while let candidate = current, seen.insert(ObjectIdentifier(candidate)).inserted {
      if candidate === entity { return true }
      current = candidate.parent
    }
    return false
  }

  /// The fetch indexes that the entity itself declares; empty by default.
  ///
  /// Set the indexes after ``properties``, because setting ``properties`` removes all indexes.
  open var indexes: [NSFetchIndexDescription] {
    get { indexList }
    set {
      checkMutable()
      indexList = newValue
      for index in newValue { index.adopt(self) }
    }
  }

  /// The groups of attributes whose combined values must be unique; empty by default.
  ///
  /// When you set this property, a group may contain attribute names or attribute descriptions.
  /// Reading the property always returns names; the name of a composite attribute's element is a
  /// path, such as `address.city`.
  ///
  /// ``NSManagedObjectModel/compiled()`` throws `ModelError` with code `.unknownProperty` for a
  /// name that the entity does not have, and with code `.duplicateName` for a repeated name or
  /// group.
  open var uniquenessConstraints: [[Any]] {
    get { constraintNames }
    set {
      checkMutable()
      constraints = newValue
    }
  }

  var constraintNames: [[String]] { names(in: constraints) }

  /// Returns groups of property names; a group may contain properties instead of their names.
  func names(in groups: [[Any]]) -> [[String]] {
    groups.map { group in
      group.compactMap { ($0 as? NSPropertyDescription).map(path(of:)) ?? $0 as? String }
    }
  }

  /// Returns the name of a property, or the path to an element of a composite attribute.
  func path(of property: NSPropertyDescription) -> String {
    guard property.owner == nil else { return property.name }
    for case let composite as NSCompositeAttributeDescription in properties {
      let leaf = composite.leaves.first { $0.attribute === property }
      if let leaf { return leaf.path }
    }
    return property.name
  }

  /// Groups of properties that are indexed together; empty by default. In new models, use
  /// ``indexes`` instead.
  ///
  /// A group contains property names or property descriptions.
  open var compoundIndexes: [[Any]] = [] { didSet { checkMutable() } }

  /// Returns a copy of the entity; the copy does not belong to a model.
  ///
  /// The copy contains copies of the properties that the entity itself declares. The copy does not
  /// have a superentity or subentities. If you add copies of several entities to a new model, the
  /// copies are related to each other like the original entities. Destinations and inverses are
  /// found by name.
  open func copy(with zone: NSZone? = nil) -> Any { ModelCopier().detachedCopy(of: self) }

  open override var description: String { "(entity: \(name ?? "?"))" }

  /// Returns whether another object is an entity with the same contents: settings, properties,
  /// indexes and constraints.
  ///
  /// The superentities and the destinations of relationships are compared by name.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSEntityDescription else { return false }
    return self === other || DescriptionEquality.areEqual(self, other)
  }

  /// A hash value computed from the entity's name.
  open override var hash: Int { name.hashValue }
}
