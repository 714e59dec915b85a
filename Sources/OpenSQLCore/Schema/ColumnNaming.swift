import OpenObjectModel
import OpenStoreContract

/// Names and orders the columns of entity tables as Apple's framework does.
struct ColumnNaming {
  /// The columns of a model.
  struct Columns {
    /// The columns, by entity and slot.
    var slots: [[SlotColumn]]
    var tables: [SQLCreateTable]
    /// The columns with a separate index, by root entity.
    var indexed: [Int: [String]] = [:]
    /// The columns of member positions, by table and by the column of the owner's key.
    var orderColumns: [String: [String: String]] = [:]
    /// The foreign key columns of to-many relationships without an inverse, by owner and name.
    var pointers: [Int: [String: String]] = [:]
  }

  /// A to-many relationship without an inverse, whose foreign key is in the rows of the
  /// destination.
  private typealias Pointer = (owner: CompiledEntity, property: CompiledProperty)

  private let model: CompiledModel
  private let numbers: EntityNumbers
  /// The to-many relationships without an inverse, by destination.
  private let pointersByDestination: [Int: [Pointer]]
  private let dialect: any SQLDialect
  private var used: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
  private var integers: [SQLCreateTable.Column] = []
  private var orderKeys: [SQLCreateTable.Column] = []
  private var others: [Int: [SQLCreateTable.Column]] = [:]
  private var indexed: [String] = []
  private var orderColumns: [String: String] = [:]
  private var pointers: [Int: [String: String]] = [:]
  /// The columns named so far, by entity and slot.
  private var slots: [Int: [Int: SlotColumn]] = [:]

  private init(
    model: CompiledModel, _ numbers: EntityNumbers, _ pointersByDestination: [Int: [Pointer]],
    _ dialect: any SQLDialect
  ) {
    self.model = model
    self.numbers = numbers
    self.dialect = dialect
    self.pointersByDestination = pointersByDestination
  }

  private static func pointersByDestination(of model: CompiledModel) -> [Int: [Pointer]] {
    var pointers: [Int: [Pointer]] = [:]
    for owner in model.entities {
      for property in owner.hiddenKeys {
        guard let relationship = property.relationship else { continue }
        pointers[relationship.destinationIndex, default: []].append((owner, property))
      }
    }
    return pointers
  }

  static func columns(
    of model: CompiledModel, _ numbers: EntityNumbers, for dialect: any SQLDialect
  ) throws(StoreError) -> Columns {
    var result = Columns(
      slots: Array(repeating: [], count: model.entities.count), tables: [])
    let pointers = pointersByDestination(of: model)
    for root in model.entities where root.superIndex == nil {
      var naming = ColumnNaming(model: model, numbers, pointers, dialect)
      for index in root.subtree {
        try naming.name(model.entities[index])
        result.slots[index] = try naming.slotColumns(of: model.entities[index])
      }
      result.tables.append(naming.table(of: root))
      result.indexed[root.index] = naming.indexed
      result.orderColumns[SchemaMap.tableName(of: root)] = naming.orderColumns
      result.pointers.merge(naming.pointers) { $0.merging($1) { one, _ in one } }
    }
    return result
  }

  /// Names the columns of the properties that an entity declares itself.
  private mutating func name(_ entity: CompiledEntity) throws(StoreError) {
    let own = entity.ownProperties
    if let superIndex = entity.superIndex { slots[entity.index] = slots[superIndex] }
    for property in own where group(of: property) == 0 {
      integers.append(try column(of: property, in: entity))
    }
    for property in own {
      guard let relationship = property.relationship, let slot = property.slot else { continue }
      nameKey(property, relationship, slot, in: entity)
    }
    namePointers(at: entity)
    for property in own {
      guard let group = group(of: property), group > 0 else { continue }
      others[group, default: []].append(try column(of: property, in: entity))
    }
  }

  private mutating func column(
    of property: CompiledProperty, in entity: CompiledEntity
  ) throws(StoreError) -> SQLCreateTable.Column {
    guard let attribute = property.attribute, let slot = property.slot,
      let type = dialect.columnType(for: attribute.type)
    else {
      throw StoreError(
        .unsupported, "The store has no column type for the attribute's type.",
        entityName: entity.name, propertyName: property.name)
    }
    let name = unique("Z" + property.columnWord)
    slots[entity.index, default: [:]][slot] = SlotColumn(
      name: name, kind: entity.slots[slot].kind, isTagged: isTagged(attribute, of: entity),
      isUUID: attribute.type == .uuid)
    return SQLCreateTable.Column(name, type)
  }

  /// Returns whether the column of an attribute contains data after a tag byte.
  ///
  /// The store copies the bytes of another column to the column of a derived attribute, so both
  /// columns have tags or neither has.
  private func isTagged(_ attribute: CompiledAttribute, of entity: CompiledEntity) -> Bool {
    guard dialect.tagsExternalData, attribute.type == .binaryData else { return false }
    var (source, owner) = (attribute, entity)
    // A derived attribute may be copied from another derived attribute.
    for _ in 0..<Derivation.longestPath {
      guard case .value(let steps)? = source.derivation,
        let next = attributeAndOwner(at: steps[...], from: owner)
      else { break }
      (source, owner) = next
    }
    return source.type == .binaryData && source.allowsExternalStorage
  }

  /// Returns the attribute at the end of to-one relationships, and its entity.
  private func attributeAndOwner(
    at steps: ArraySlice<String>, from entity: CompiledEntity
  ) -> (CompiledAttribute, CompiledEntity)? {
    if steps.count > 1, let step = steps.first, let ordinal = entity.ordinal(of: step),
      let relationship = entity.properties[ordinal].relationship
    {
      return attributeAndOwner(
        at: steps.dropFirst(), from: model.entities[relationship.destinationIndex])
    }
    guard let ordinal = entity.ordinal(of: steps.joined(separator: ".")) else { return nil }
    return entity.properties[ordinal].attribute.map { ($0, entity) }
  }

  private mutating func nameKey(
    _ property: CompiledProperty, _ relationship: CompiledRelationship, _ slot: Int,
    in entity: CompiledEntity
  ) {
    let name = unique("Z" + property.columnWord)
    addKey(name, to: entity, slot: slot)
    indexed.append(name)
    if let discriminator = relationship.discriminatorSlot {
      let number = numbers.number(of: relationship.destinationIndex)
      addKey(unique("Z\(number)_" + name.dropFirst()), to: entity, slot: discriminator)
    }
    if let inverse = model.inverse(of: relationship), inverse.relationship?.isOrdered == true,
      inverse.relationship?.isToMany == true
    {
      orderKeys.append(orderColumn(of: name))
    }
  }

  private mutating func orderColumn(of key: String) -> SQLCreateTable.Column {
    let name = unique("Z_FOK_" + key.dropFirst())
    orderColumns[key] = name
    return .init(name, dialect.keyType)
  }

  private mutating func addKey(_ name: String, to entity: CompiledEntity, slot: Int) {
    slots[entity.index, default: [:]][slot] = SlotColumn(
      name: name, kind: .integer, isTagged: false)
    integers.append(.init(name, dialect.keyType))
  }

  /// Names the columns of to-many relationships without an inverse whose destination is the entity.
  private mutating func namePointers(at entity: CompiledEntity) {
    for (owner, property) in pointersByDestination[entity.index] ?? [] {
      let name = unique("Z\(numbers.number(of: owner.index))" + property.columnWord)
      integers.append(.init(name, dialect.keyType))
      indexed.append(name)
      pointers[owner.index, default: [:]][property.name] = name
      guard property.relationship?.isOrdered == true else { continue }
      integers.append(orderColumn(of: name))
    }
  }

  private mutating func unique(_ wanted: String) -> String {
    var name = wanted
    var suffix = 0
    while !used.insert(name).inserted {
      suffix += 1
      name = wanted + String(suffix)
    }
    return name
  }

  /// Returns the position of an attribute's group of columns in the table: 0 for integers, nil for
  /// properties without a column.
  private func group(of property: CompiledProperty) -> Int? {
    switch property.attribute?.type {
    case nil, .composite: nil
    case .integer16, .integer32, .integer64, .boolean, .objectID: 0
    case .date, .double, .float: 1
    case .decimal: 2
    case .string: 3
    case .uri: 4
    case .uuid: 5
    case .transformable: 6
    case .binaryData, .undefined: 7
    }
  }

  private func slotColumns(of entity: CompiledEntity) throws(StoreError) -> [SlotColumn] {
    var columns: [SlotColumn] = []
    for slot in entity.slots.indices {
      guard let column = slots[entity.index]?[slot] else {
        throw StoreError(
          .unsupported, "A stored property of the entity has no column in the store.",
          entityName: entity.name,
          propertyName: entity.properties[entity.slots[slot].propertyOrdinal].name)
      }
      columns.append(column)
    }
    return columns
  }

  private func table(of root: CompiledEntity) -> SQLCreateTable {
    let rest = (1...7).flatMap { others[$0] ?? [] }
    return SQLCreateTable(
      SchemaMap.tableName(of: root), SchemaMap.rowHeader(dialect) + integers + orderKeys + rest)
  }
}

extension CompiledEntity {
  /// The stored properties that the entity declares itself, sorted by the bytes of their names. The
  /// elements of a composite attribute are in the place of the attribute.
  var ownProperties: [CompiledProperty] {
    // They follow the inherited properties.
    let first = properties.lastIndex { $0.declaringEntityIndex != index }.map { $0 + 1 } ?? 0
    return properties[first...].filter { !$0.isTransient }
  }

  /// The to-many relationships without an inverse that the entity declares itself.
  var hiddenKeys: [CompiledProperty] {
    ownProperties.filter { property in
      guard let relationship = property.relationship else { return false }
      return relationship.isToMany && relationship.inverseOrdinal == nil
    }
  }
}

extension CompiledProperty {
  /// The part of column and table names for the property. The name of an element does not contain
  /// its composite attribute.
  var columnWord: String {
    let last = isElement ? name.split(separator: ".").last.map(String.init) : nil
    return (last ?? name).uppercased()
  }
}
