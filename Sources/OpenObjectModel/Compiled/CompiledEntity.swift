public import OpenPredicates
package import Synchronization

/// One entity of a compiled model.
///
/// Ordinals and slots of a super-entity come first, at the same positions, in all its sub-entities.
// Invariant of the unchecked conformance: `owner`, `tokenOfRoot` and `keysByOrdinal` are set once, before the model is handed
// out, and the model is never released.
public final class CompiledEntity: @unchecked Sendable, Hashable {
  public let name: String
  /// The name of the class of the entity's objects.
  public let className: String
  public let isAbstract: Bool
  /// Position in the model; `Z_ENT` − 1.
  public let index: Int
  /// Unique in the process, never 0.
  public let token: UInt32
  public let superIndex: Int?
  public let rootIndex: Int
  /// Positions of the entity itself and of all its descendants.
  public let subtree: Range<Int>
  /// Properties by ordinal.
  public let properties: [CompiledProperty]
  /// Positions of the properties' stored columns, by ordinal; −1 for those without.
  public let slotPositions: [Int]
  /// Stored columns in packed rows.
  public let slots: [CompiledSlot]
  /// 64-bit words of the null bitmap: the same in the whole inheritance tree.
  public let nullWordCount: Int
  /// The entity's own uniqueness constraints, as property names.
  public let uniquenessConstraints: [[String]]
  /// The entity's own fetch indexes.
  public let fetchIndexes: [CompiledIndex]
  /// What the object graph keeps with the entity: an address that it retains permanently.
  package let attachment = Atomic<UnsafeRawPointer?>(nil)
  private let ordinals: NameTable
  @exclusivity(unchecked) private var tokenOfRoot: UInt32 = 0
  /// By ordinal; nil for what is no to-one relationship with a column.
  @exclusivity(unchecked) private var keysByOrdinal: [CompiledForeignKey?] = []
  /// Where rows have the keys of to-one destinations, in the order of the properties.
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
    uniquenessConstraints = parts.uniquenessConstraints
    fetchIndexes = parts.fetchIndexes
    ordinals = NameTable(parts.properties.map(\.name))
  }

  /// What an entity is made of.
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
    var uniquenessConstraints: [[String]]
    var fetchIndexes: [CompiledIndex]
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
    // What is inherited is connected already.
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

  /// The model that the entity belongs to.
  public var model: CompiledModel {
    guard let owner else {
      preconditionFailure("An entity is handed out only by the model that it belongs to.")
    }
    return owner
  }

  /// Whether the entity is part of a model.
  ///
  /// - Returns: `true` if the entity is part of a model.
  public func isPart(of model: CompiledModel) -> Bool { owner === model }

  /// Whether another entity belongs to the same model.
  package func isOfSameModel(as other: CompiledEntity) -> Bool { owner === other.owner }

  /// The token of the root of the entity's inheritance tree, by which references name an object's kind: the same in
  /// all models that have a root of this name, as coordinators of one store may each have their own model.
  // Read through a function, because other modules would check the field for overlapping access each time.
  package var rootToken: UInt32 { tokenOfRoot }

  /// The ordinals of the attributes that full-text searches of the whole object include.
  public var searchedAttributes: [Int] { properties.filter(\.isSearched).map(\.ordinal) }

  /// The ordinal of a property by name.
  ///
  /// - Returns: The ordinal of a property by name; nil if there is none.
  public func ordinal(of name: String) -> Int? { ordinals.position(of: name) }

  /// How many places the longest look-up of a property by name visits; for tests of wide entities.
  package var longestNameSearch: Int { ordinals.longestSearch(properties.map(\.name)) }

  /// The place of a to-one relationship's destination in rows; nil for other properties.
  ///
  /// - Returns: The foreign key; nil for other properties.
  public func foreignKey(_ ordinal: Int) -> CompiledForeignKey? { keysByOrdinal[ordinal] }

  /// Where rows of the entity have foreign keys.
  public var foreignKeys: [ForeignKeyPlace] { keyPlaces }

  public static func == (one: CompiledEntity, other: CompiledEntity) -> Bool { one === other }
  public func hash(into hasher: inout Hasher) { hasher.combine(token) }
}

/// Where rows have the key of a to-one relationship's destination.
public struct ForeignKeyPlace: BitwiseCopyable, Sendable {
  /// Offset in bytes from the start of the row.
  public let byteOffset: Int
  /// The position of the destination's root entity in the model.
  public let root: Int
}

/// The foreign key of a to-one relationship, in plain values: reading it does not retain.
// The destination is never released, like all of a compiled model.
public struct CompiledForeignKey {
  /// Where rows have the destination's key.
  public let slot: Int
  public let byteOffset: Int
  public let destination: Unmanaged<CompiledEntity>
  /// The destination entity's token, and the position and the token of the root of its inheritance tree.
  public let destinationToken: UInt32
  public let destinationRoot: Int
  public let destinationRootToken: UInt32
  public let inverse: Inverse?

  /// The inverse relationship.
  public struct Inverse: BitwiseCopyable, Sendable {
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

/// One stored column of an entity.
public struct CompiledSlot: Sendable, Hashable {
  public let kind: SlotKind
  /// Ordinal of the property that the column belongs to.
  public let propertyOrdinal: Int?
  /// Whether the column contains the destination's entity instead of its key.
  public let isDiscriminator: Bool
  /// The values that the column's attribute may have.
  public let domain: SlotDomain
}

/// A fetch index of an entity.
public struct CompiledIndex: Sendable, Hashable {
  /// One column of an index.
  public struct Element: Sendable, Hashable {
    public let propertyName: String
    /// The indexed expression, if it is not a property: `SELF` or `entity`.
    public let expression: ExpressionNode?
    public let isAscending: Bool
    public let isRTree: Bool
  }

  public let name: String
  public let elements: [Element]
  /// Restricts the index to the rows that satisfy it.
  public let condition: PredicateNode?
}
