public import OpenPredicates
package import Synchronization

/// An entity of a ``CompiledModel``.
///
/// The lists of properties and slots of a subentity start with the properties and slots of its
/// superentity. An inherited property therefore has the same ordinal and the same slot in all
/// entities that inherit the property.
// Invariant of the unchecked conformance: `owner`, `tokenOfRoot` and `keysByOrdinal` are set once,
// before the model becomes accessible, and the model is never released.
public final class CompiledEntity: @unchecked Sendable, Hashable {
  public let name: String
  /// The name of the managed object class of the entity.
  public let className: String
  public let isAbstract: Bool
  /// The position of the entity in ``CompiledModel/entities``; the entity's `Z_ENT` in a store is
  /// this position plus 1.
  public let index: Int
  /// A number that identifies the entity in the process; never 0.
  public let token: UInt32
  /// The position, in the model, of the superentity; nil for a root entity.
  public let superIndex: Int?
  /// The position, in the model, of the root entity of the entity's inheritance tree.
  public let rootIndex: Int
  /// The positions, in the model, of the entity and all of its descendants.
  public let subtree: Range<Int>
  /// The entity's own and inherited properties, indexed by ordinal.
  public let properties: [CompiledProperty]
  /// The slot of each property, indexed by ordinal; −1 for a property without a stored column.
  public let slotPositions: [Int]
  /// The stored columns, in the order of their slots in a packed row.
  public let slots: [CompiledSlot]
  /// The number of 64-bit words in a row's null bitmap. The number is equal for all entities of an
  /// inheritance tree.
  public let nullWordCount: Int
  /// The uniqueness constraints that the entity itself declares, as lists of property names.
  ///
  /// A composite attribute is replaced by its stored elements, whose names are paths.
  public let uniquenessConstraints: [[String]]
  /// The uniqueness constraints as the model declares them, in the order of
  /// ``uniquenessConstraints``. A composite attribute has its own name here. The name of a
  /// constraint's index contains these names.
  package let declaredConstraints: [[String]]
  /// The fetch indexes that the entity itself declares, including the indexes for properties with
  /// `isIndexed` and for `compoundIndexes`.
  public let fetchIndexes: [CompiledIndex]
  /// The address of an object that the object graph keeps with the entity and retains permanently;
  /// nil until the object graph sets the address.
  package let attachment = Atomic<UnsafeRawPointer?>(nil)
  private let ordinals: NameTable
  @exclusivity(unchecked) private var tokenOfRoot: UInt32 = 0
  /// The foreign keys by ordinal; nil for properties other than to-one relationships with a column.
  @exclusivity(unchecked) private var keysByOrdinal: [CompiledForeignKey?] = []
  /// The positions of foreign keys in rows, in the order of the properties.
  @exclusivity(unchecked) private var keyPlaces: [ForeignKeyPlace] = []
  @exclusivity(unchecked) private unowned(unsafe) var owner: CompiledModel?
  private static let tokens = Atomic<UInt32>(1)
  private static let rootTokens = Mutex<[String: UInt32]>([:])

  init(_ parts: Parts) {
    name = parts.name
    className = parts.className
    isAbstract = parts.isAbstract
    index = parts.index
    token = Self.tokens.add(1, ordering: .relaxed).oldValue
    superIndex = parts.superIndex
    rootIndex = parts.rootIndex
    subtree = parts.subtree
    properties = parts.properties
    slots = parts.slots
    slotPositions = parts.properties.map { $0.slot ?? -1 }
    nullWordCount = parts.nullWordCount
    declaredConstraints = parts.declaredConstraints
    uniquenessConstraints = parts.declaredConstraints.map { Self.expanded($0, parts.properties) }
    fetchIndexes = parts.fetchIndexes
    ordinals = NameTable(parts.properties.map(\.name))
  }

  /// The values from which an entity is created.
  struct Parts {
    var name: String
    var className: String
    var isAbstract: Bool
    var index: Int
    var superIndex: Int?
    var rootIndex: Int
    var subtree: Range<Int>
    var properties: [CompiledProperty]
    var slots: [CompiledSlot]
    var nullWordCount: Int
    var declaredConstraints: [[String]]
    var fetchIndexes: [CompiledIndex]
  }

  /// Returns the names of a constraint, with the stored elements in place of composite attributes.
  /// Each name is returned once, even if the constraint also contains an element of a composite.
  private static func expanded(
    _ constraint: [String], _ properties: [CompiledProperty]
  ) -> [String] {
    let names: [String] = constraint.flatMap { name in
      let elements = properties.first { $0.name == name }?.attribute?.elements ?? []
      let stored = elements.map { properties[$0] }.filter { $0.slot != nil }
      return stored.isEmpty ? [name] : stored.map(\.name)
    }
    var known: Set<String> = []
    return names.filter { known.insert($0).inserted }
  }

  fileprivate static func rootToken(named name: String) -> UInt32 {
    rootTokens.withLock { known in
      if let token = known[name] { return token }
      let new = UInt32(truncatingIfNeeded: known.count + 1)
      known[name] = new
      return new
    }
  }

  func connect(to model: CompiledModel) {
    owner = model
    tokenOfRoot = Self.rootToken(named: model.entities[rootIndex].name)
    // Inherited properties are already connected.
    let parent = superIndex.map { model.entities[$0] }
    let own = properties[(parent?.properties.count ?? 0)...]
    for property in own {
      guard let relationship = property.relationship else { continue }
      relationship.connect(to: model.entities[relationship.destinationIndex])
    }
    keysByOrdinal = (parent?.keysByOrdinal ?? []) + own.map { CompiledForeignKey($0, in: model) }
    keyPlaces = keysByOrdinal.compactMap { foreignKey in
      foreignKey.map { ForeignKeyPlace(byteOffset: $0.byteOffset, root: $0.destinationRoot) }
    }
  }

  /// The model that contains the entity.
  public var model: CompiledModel {
    guard let owner else {
      preconditionFailure("The entity was used before its compiled model was complete.")
    }
    return owner
  }

  /// Returns whether the entity belongs to the given model.
  public func isPart(of model: CompiledModel) -> Bool { owner === model }

  /// Returns whether another entity belongs to the model of this entity.
  package func isOfSameModel(as other: CompiledEntity) -> Bool { owner === other.owner }

  /// The number by which an `ObjectReference` identifies the inheritance tree; never 0.
  ///
  /// Root entities with the same name have the same number in all models, because coordinators of
  /// one store may each have their own model.
  // Read through a function, because other modules would check the field for exclusive access each
  // time.
  package var rootToken: UInt32 { tokenOfRoot }

  /// The ordinals of the attributes that a full-text search of the whole object includes.
  public var searchedAttributes: [Int] { properties.filter(\.isSearched).map(\.ordinal) }

  /// Returns the ordinal of the property with the given name; nil if the entity has no property
  /// with this name.
  public func ordinal(of name: String) -> Int? { ordinals.position(of: name) }

  /// Returns the composite attribute to which a property of this entity belongs; nil if the
  /// property is not an element.
  package func composite(of property: CompiledProperty) -> CompiledProperty? {
    guard property.isElement else { return nil }
    let name = property.name.prefix { $0 != "." }
    return ordinal(of: String(name)).map { properties[$0] }
  }

  /// The number of entries that the longest search for a property name visits, for tests of
  /// entities with many properties.
  package var longestNameSearch: Int { ordinals.longestSearch(properties.map(\.name)) }

  /// Returns the foreign key of the to-one relationship with the given ordinal; nil if the property
  /// has no foreign key.
  public func foreignKey(_ ordinal: Int) -> CompiledForeignKey? { keysByOrdinal[ordinal] }

  /// The positions of the foreign keys in the entity's rows, in the order of the properties.
  public var foreignKeys: [ForeignKeyPlace] { keyPlaces }

  public static func == (one: CompiledEntity, other: CompiledEntity) -> Bool { one === other }
  public func hash(into hasher: inout Hasher) { hasher.combine(token) }
}

/// The position of a to-one relationship's foreign key in a packed row.
public struct ForeignKeyPlace: BitwiseCopyable, Sendable {
  /// The offset of the foreign key in bytes, from the start of the row.
  public let byteOffset: Int
  /// The position, in the model, of the root entity of the destination's inheritance tree.
  public let root: Int
}

/// A description of the foreign key of a to-one relationship.
///
/// The structure contains only plain values and an unmanaged reference, so copying the structure
/// does not retain any object.
// The destination is never released, like all parts of a compiled model.
public struct CompiledForeignKey {
  /// The slot that contains the primary key of the destination.
  public let slot: Int
  public let byteOffset: Int
  public let destination: Unmanaged<CompiledEntity>
  /// The ``CompiledEntity/token`` of the destination entity.
  public let destinationToken: UInt32
  /// The position, in the model, of the root entity of the destination's inheritance tree.
  public let destinationRoot: Int
  /// The number that identifies the destination's inheritance tree in an `ObjectReference`.
  public let destinationRootToken: UInt32
  /// The inverse relationship; nil if the relationship has no inverse.
  public let inverse: Inverse?

  /// A description of the inverse relationship.
  public struct Inverse: BitwiseCopyable, Sendable {
    /// The ordinal of the inverse relationship in the destination entity.
    public let ordinal: Int
    public let isToMany: Bool
    public let isOrdered: Bool
  }

  fileprivate init?(_ property: CompiledProperty, in model: CompiledModel) {
    guard let relationship = property.relationship, !relationship.isToMany,
      let slot = property.slot
    else { return nil }
    self.slot = slot
    byteOffset = property.byteOffset
    let entity = model.entities[relationship.destinationIndex]
    destination = .passUnretained(entity)
    destinationToken = entity.token
    destinationRoot = entity.rootIndex
    destinationRootToken = CompiledEntity.rootToken(named: model.entities[entity.rootIndex].name)
    inverse = relationship.inverseOrdinal.flatMap { ordinal in
      entity.properties[ordinal].relationship.map {
        Inverse(ordinal: ordinal, isToMany: $0.isToMany, isOrdered: $0.isOrdered)
      }
    }
  }
}

/// A stored column of an entity.
public struct CompiledSlot: Sendable, Hashable {
  public let kind: SlotKind
  /// The ordinal of the property to which the column belongs.
  public let propertyOrdinal: Int
  /// Whether the column contains the entity discriminator of a to-one relationship instead of the
  /// relationship's foreign key.
  public let isDiscriminator: Bool
  /// Whether the column belongs to a derived attribute, whose value only the store sets.
  public let isDerived: Bool
  /// The set of values that the column may contain; `.any` for a column of a relationship.
  public let domain: SlotDomain
}

/// A fetch index of an entity.
public struct CompiledIndex: Sendable, Hashable {
  /// An element of an index.
  public struct Element: Sendable, Hashable {
    /// The name of the indexed property, or of the expression description.
    public let propertyName: String
    /// The expression that the element indexes, such as `SELF` or `entity`; nil if the element
    /// indexes a property.
    public let expression: ExpressionNode?
    public let isAscending: Bool
    public let isRTree: Bool
  }

  public let name: String
  public let elements: [Element]
  /// The condition that a row must satisfy to be in the index; nil if the index contains all rows.
  public let condition: PredicateNode?
}
