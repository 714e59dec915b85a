import OpenObjectModel
import OpenStoreContract

/// An index that lists, for each to-one relationship, the rows that hold a foreign key. Finding the
/// members of the inverse relationship therefore visits only these rows.
///
/// A value type. Every commit updates the index, at a cost that depends on the number of changes.
struct ForeignKeyIndex: Sendable {
  /// A to-one relationship, identified by the entity that declares it.
  private struct Place: Hashable {
    let entityIndex: Int
    let ordinal: Int
  }

  /// The position of a foreign key in an entity's rows.
  private struct Column: Sendable {
    let place: Place
    let slot: Int
    let byteOffset: Int
  }

  /// The columns, by entity index.
  private let columns: [[Column]]
  /// The keys of the rows that refer to a key, by relationship.
  private var sources: [Place: [Int64: Set<Int64>]] = [:]

  init(model: CompiledModel) {
    columns = model.entities.map { entity in
      entity.properties.compactMap { property in
        guard property.relationship != nil, let slot = property.slot else { return nil }
        return Column(
          place: Self.place(of: property), slot: slot, byteOffset: property.byteOffset)
      }
    }
  }

  private static func place(of property: CompiledProperty) -> Place {
    Place(entityIndex: property.declaringEntityIndex, ordinal: property.ordinal)
  }

  /// Returns the keys of the rows that refer to a key, in ascending order.
  func sources(pointingAt key: Int64, over property: CompiledProperty) -> [Int64] {
    sources[Self.place(of: property)]?[key]?.sorted() ?? []
  }

  /// Updates the index with the changes of a commit.
  mutating func replace(_ removed: [Row], with added: [Row]) {
    for row in removed {
      for column in columns[row.entityIndex] where !row.isNull(column.slot) {
        remove(row.key, from: column.place, at: row.integer(at: column.byteOffset))
      }
    }
    for row in added {
      for column in columns[row.entityIndex] where !row.isNull(column.slot) {
        sources[column.place, default: [:]][row.integer(at: column.byteOffset), default: []]
          .insert(row.key)
      }
    }
  }

  private mutating func remove(_ source: Int64, from place: Place, at key: Int64) {
    sources[place]?[key]?.remove(source)
    if sources[place]?[key]?.isEmpty == true { sources[place]?[key] = nil }
  }
}
