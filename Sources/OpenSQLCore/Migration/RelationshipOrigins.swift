import OpenObjectModel
import OpenStoreContract

/// Finds the source properties of destination properties, and the storage of their relationships in
/// the source.
struct RelationshipOrigins {
  /// The identity of a property, independent of the entity that inherits it.
  struct Name: Hashable {
    var entity: Int
    var name: String

    init(_ property: CompiledProperty) {
      entity = property.declaringEntityIndex
      name = property.name
    }
  }

  let transition: ModelTransition
  let source: SchemaMap
  let destination: SchemaMap
  /// The columns of the file's tables, by table. In the file of a configuration, the tables of
  /// other entities are missing.
  let existing: [String: [String]]

  init(
    _ transition: ModelTransition, _ source: SchemaMap, _ destination: SchemaMap,
    existing: [String: [String]]
  ) {
    self.transition = transition
    self.source = source
    self.destination = destination
    self.existing = existing
  }

  /// Returns the source entity of a destination entity, or nil for a new entity.
  func entity(of index: Int) -> CompiledEntity? {
    transition.entities[index].map { transition.source.entities[$0.sourceIndex] }
  }

  /// Returns the source property of a property of one destination entity, or nil for a new
  /// property.
  func property(_ ordinal: Int, in index: Int) -> CompiledProperty? {
    guard let step = transition.entities[index], step.properties.indices.contains(ordinal),
      let position = step.properties[ordinal]
    else { return nil }
    let properties = transition.source.entities[step.sourceIndex].properties
    return properties.indices.contains(position) ? properties[position] : nil
  }

  /// Returns the distinct source properties of a property, over all entities that inherit it.
  func properties(of property: CompiledProperty) -> [CompiledProperty] {
    var found: [CompiledProperty] = []
    var seen: Set<Name> = []
    for index in transition.destination.entities[property.declaringEntityIndex].subtree {
      guard let origin = self.property(property.ordinal, in: index),
        seen.insert(Name(origin)).inserted
      else { continue }
      found.append(origin)
    }
    return found
  }

  /// Returns the storage of a source relationship's pairs, or nil if the file does not contain the
  /// table.
  func pairs(of property: CompiledProperty) -> PairSource? {
    storedPairs(of: property).flatMap { existing[$0.table] == nil ? nil : $0 }
  }

  private func storedPairs(of property: CompiledProperty) -> PairSource? {
    guard let relationship = property.relationship else { return nil }
    let back = transition.source.inverse(of: relationship)
    if let slot = property.slot {
      let map = source.entities[property.declaringEntityIndex]
      // The position beside the key belongs to the order of the inverse relationship.
      let order = back.flatMap { source.storage(of: $0)?.orderColumn }
      return PairSource(
        table: map.table, owner: "Z_PK", destination: map.columns[slot].name, reversePlace: order)
    }
    switch source.storage(of: property) {
    case .foreignKey(let key):
      return PairSource(
        table: key.table, owner: key.column, destination: "Z_PK", place: key.orderColumn)
    case .join(let side):
      let reverse = back.flatMap { source.storage(of: $0)?.orderColumn }
      return PairSource(
        table: side.table, owner: side.source, destination: side.destination,
        place: side.orderColumn, reversePlace: side.isReflexive ? nil : reverse)
    case nil: return nil
    }
  }

  /// Returns the inverse of a destination relationship.
  func inverse(of property: CompiledProperty) -> CompiledProperty? {
    property.relationship.flatMap { transition.destination.inverse(of: $0) }
  }

  /// Returns whether the destinations of a relationship may be missing or be in other tables.
  func mayDangle(_ property: CompiledProperty) -> Bool {
    guard let relationship = property.relationship else { return false }
    let reach = transition.destination.entities[relationship.destinationIndex].subtree
    let owners = transition.destination.entities[property.declaringEntityIndex].subtree
    let destinations = transition.destinations
    func isLost(_ index: Int, from range: Range<Int>) -> Bool {
      destinations[index].map { !range.contains($0) } ?? true
    }
    for (origin, isReversed) in sources(of: property) {
      guard let old = origin.relationship else { continue }
      let ends = [
        transition.source.entities[old.destinationIndex].subtree,
        transition.source.entities[origin.declaringEntityIndex].subtree,
      ]
      let ranges = isReversed ? [owners, reach] : [reach, owners]
      for (end, range) in zip(ends, ranges) where end.contains(where: { isLost($0, from: range) }) {
        return true
      }
    }
    return false
  }

  /// Returns the source relationships whose pairs a destination relationship receives. The source
  /// relationships of the inverse are marked as reversed.
  func sources(
    of property: CompiledProperty
  ) -> [(property: CompiledProperty, isReversed: Bool)] {
    properties(of: property).map { ($0, false) }
      + (inverse(of: property).map { properties(of: $0) } ?? []).map { ($0, true) }
  }

  /// Returns whether a relationship keeps exactly its pairs: no pairs of another relationship are
  /// added, and no member loses an owner.
  func keepsPairs(of property: CompiledProperty) -> Bool {
    if isNewPair(property) { return false }
    let pairs = pairs(to: property)
    guard let first = pairs.first else { return true }
    // A relationship that is its own inverse stores each pair in both directions.
    guard pairs.allSatisfy({ $0.isSame(as: first) || $0.reversed.isSame(as: first) }) else {
      return false
    }
    guard case .foreignKey? = destination.storage(of: property) else { return true }
    return first.destination == "Z_PK"
  }

  /// Returns whether a property is one side of a one-to-one relationship whose sides were not
  /// inverses of each other in the source, so that only one of them may have a value.
  func isNewPair(_ property: CompiledProperty) -> Bool {
    guard property.slot != nil, let inverse = inverse(of: property), inverse.slot != nil else {
      return false
    }
    return !areInverses(of: properties(of: property), among: properties(of: inverse))
      || !areInverses(of: properties(of: inverse), among: properties(of: property))
  }

  /// Returns whether the inverse of each source relationship is one of the other source
  /// relationships.
  private func areInverses(
    of some: [CompiledProperty], among others: [CompiledProperty]
  ) -> Bool {
    let names = Set(others.map { Name($0) })
    return some.allSatisfy { property in
      let inverse = property.relationship.flatMap { transition.source.inverse(of: $0) }
      return inverse.map { names.contains(Name($0)) } ?? false
    }
  }

  /// Returns the storage of a destination relationship's pairs in the source, without duplicates.
  func pairs(to property: CompiledProperty) -> [PairSource] {
    var found: [PairSource] = []
    for (origin, isReversed) in sources(of: property) {
      guard let pairs = pairs(of: origin) else { continue }
      let turned = isReversed ? pairs.reversed : pairs
      if let index = found.firstIndex(where: { $0.isSame(as: turned) }) {
        found[index].place = found[index].place ?? turned.place
        found[index].reversePlace = found[index].reversePlace ?? turned.reversePlace
      } else {
        found.append(turned)
      }
    }
    return found
  }
}

extension PairSource {
  /// Returns whether two values refer to the same table and key columns.
  func isSame(as other: PairSource) -> Bool {
    table == other.table && owner == other.owner && destination == other.destination
  }
}
