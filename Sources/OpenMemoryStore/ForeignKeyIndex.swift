import OpenObjectModel
import OpenStoreContract

/// Which rows hold the key of which other row, for each to-one relationship: a look-up of members visits the members
/// only.
///
/// A value; kept true by every commit, so that its cost follows what a commit changes.
struct ForeignKeyIndex: Sendable {
  /// A to-one relationship, by the entity that declares it.
  private struct Place: Hashable {
    let entityIndex: Int
    let ordinal: Int
  }

  /// Where an entity's rows have the key of a destination.
  private struct Column: Sendable {
    let place: Place
    let slot: Int
    let byteOffset: Int
  }

  /// By entity.
  private let columns: [[Column]]
  /// Keys of the rows that point at a key.
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

  /// Keys of the rows with a foreign key in a relationship, ascending.
  func sources(pointingAt key: Int64, over property: CompiledProperty) -> [Int64] {
    sources[Self.place(of: property)]?[key]?.sorted() ?? []
  }

  /// Takes over what a commit wrote.
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
