import OpenObjectModel
import OpenStoreContract

/// The order of members in ordered to-many relationships.
struct MemberOrders: Sendable {
  /// An ordered relationship of one source object.
  private struct Place: Hashable {
    let entityIndex: Int
    let ordinal: Int
    let source: Int64
  }

  private var orders: [Place: [Int64]] = [:]

  mutating func apply(_ orderings: [ChangeSet.Ordering], in model: CompiledModel) {
    for ordering in orderings {
      let property = model.entities[ordering.entityIndex].properties[ordering.ordinal]
      let place = Self.place(of: property, source: ordering.source.key)
      if ordering.isWhole {
        orders[place] = ordering.members
      } else {
        let gone = Set(ordering.members + ordering.removed)
        orders[place] = (orders[place] ?? []).filter { !gone.contains($0) } + ordering.members
      }
    }
  }

  /// Returns members in the order of a relationship. Members without a position come last, in the
  /// given order.
  func sorted(_ rows: [Row], of property: CompiledProperty, source: Int64) -> [Row] {
    guard let order = orders[Self.place(of: property, source: source)] else { return rows }
    let places = Dictionary(zip(order, 0...)) { first, _ in first }
    return rows.enumerated().sorted { one, other in
      let mine = places[one.element.key] ?? .max
      let theirs = places[other.element.key] ?? .max
      return mine == theirs ? one.offset < other.offset : mine < theirs
    }.map(\.element)
  }

  private static func place(of property: CompiledProperty, source: Int64) -> Place {
    Place(entityIndex: property.declaringEntityIndex, ordinal: property.ordinal, source: source)
  }
}
