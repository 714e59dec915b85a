import OpenObjectModel
import OpenStoreContract

/// Finds the source properties of destination properties, and where the source has the pairs of relationships.
struct RelationshipOrigins {
  /// A property, whatever entity inherits it.
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
  /// Columns of the file's tables; a file of one configuration lacks tables of other entities.
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

  /// The source entity of a destination entity.
  func entity(of index: Int) -> CompiledEntity? {
    transition.entities[index].map { transition.source.entities[$0.sourceIndex] }
  }

  /// The source of a property in one destination entity.
  func property(_ ordinal: Int, in index: Int) -> CompiledProperty? {
    guard let step = transition.entities[index], step.properties.indices.contains(ordinal),
      let position = step.properties[ordinal]
    else { return nil }
    let properties = transition.source.entities[step.sourceIndex].properties
    return properties.indices.contains(position) ? properties[position] : nil
  }

  /// The different sources of a property in the entities that have it.
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

  /// Where the source has the pairs of a relationship.
  func pairs(of property: CompiledProperty) -> PairSource? {
    storedPairs(of: property).flatMap { existing[$0.table] == nil ? nil : $0 }
  }

  private func storedPairs(of property: CompiledProperty) -> PairSource? {
    guard let relationship = property.relationship else { return nil }
    let back = transition.source.inverse(of: relationship)
    if let slot = property.slot {
      let map = source.entities[property.declaringEntityIndex]
      // The place beside the key belongs to the other side's order.
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

  /// The inverse of a destination relationship.
  func inverse(of property: CompiledProperty) -> CompiledProperty? {
    property.relationship.flatMap { transition.destination.inverse(of: $0) }
  }

  /// Whether the destinations of a relationship may be missing, or be in other tables.
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

  /// The source relationships that a relationship has pairs from; those of its inverse are reversed.
  func sources(
    of property: CompiledProperty
  ) -> [(property: CompiledProperty, isReversed: Bool)] {
    properties(of: property).map { ($0, false) }
      + (inverse(of: property).map { properties(of: $0) } ?? []).map { ($0, true) }
  }

  /// Whether a relationship has the pairs that it had: it gets none of another one, and no member that had several owners keeps one only.
  func keepsPairs(of property: CompiledProperty) -> Bool {
    let pairs = pairs(to: property)
    guard let first = pairs.first else { return true }
    // A relationship that is its own inverse has the pairs both ways.
    guard pairs.allSatisfy({ $0.isSame(as: first) || $0.reversed.isSame(as: first) }) else {
      return false
    }
    guard case .foreignKey? = destination.storage(of: property) else { return true }
    return first.destination == "Z_PK"
  }

  /// The pairs that a destination relationship has in the source, each storage once.
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
  /// Whether both are the same columns.
  func isSame(as other: PairSource) -> Bool {
    table == other.table && owner == other.owner && destination == other.destination
  }
}
