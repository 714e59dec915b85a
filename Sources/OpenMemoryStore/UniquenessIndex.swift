import Foundation
import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// The keys of the rows by their constrained values, for each uniqueness constraint of the model.
///
/// A row with a null among its constrained values is exempt, as in SQL.
struct UniquenessIndex: Sendable {
  private let constraints: [UniquenessConstraint]
  private var holders: [[UniqueValues: Int64]]

  init(model: CompiledModel) {
    constraints = model.entities.flatMap { entity in
      entity.uniquenessConstraints.map { UniquenessConstraint($0, of: entity) }
    }
    holders = Array(repeating: [:], count: constraints.count)
  }

  /// Returns a conflict for each added row whose constrained values equal the values of a remaining
  /// row or of another added row.
  func conflicts(removing removed: [Row], adding added: [Row]) -> [StoreConflict] {
    constraints.indices.flatMap { index in
      let constraint = constraints[index]
      let freed = Set(removed.filter { constraint.applies(to: $0) }.map(\.key))
      var taken: Set<UniqueValues> = []
      return added.compactMap { row -> StoreConflict? in
        guard let values = constraint.values(of: row) else { return nil }
        let isHeld = holders[index][values].map { !freed.contains($0) } ?? false
        guard !taken.insert(values).inserted || isHeld else { return nil }
        return .constraint(
          id: row.objectKey, entityIndex: constraint.entity.index,
          properties: constraint.properties.map(\.name))
      }
    }
  }

  /// Returns the keys of the rows that have the same constrained values as a new row.
  func holders(of row: Row) -> Set<Int64> {
    var found: Set<Int64> = []
    for (index, constraint) in constraints.enumerated() {
      if let key = constraint.values(of: row).flatMap({ holders[index][$0] }) { found.insert(key) }
    }
    return found
  }

  /// Updates the index with the changes of a commit.
  mutating func replace(_ removed: [Row], with added: [Row]) {
    for (index, constraint) in constraints.enumerated() {
      for row in removed { constraint.values(of: row).map { holders[index][$0] = nil } }
      for row in added { constraint.values(of: row).map { holders[index][$0] = row.key } }
    }
  }
}

/// A set of properties whose combined values are unique among the objects of an entity.
private struct UniquenessConstraint: Sendable {
  let entity: CompiledEntity
  let properties: [CompiledProperty]

  init(_ names: [String], of entity: CompiledEntity) {
    self.entity = entity
    properties = names.compactMap { entity.ordinal(of: $0) }.map { entity.properties[$0] }
  }

  func applies(to row: Row) -> Bool { entity.subtree.contains(row.entityIndex) }

  /// Returns the constrained values of a row, or nil if the row is exempt.
  func values(of row: Row) -> UniqueValues? {
    guard applies(to: row) else { return nil }
    var values: [UniqueValues.Part] = []
    for property in properties {
      guard let slot = property.slot, !row.isNull(slot) else { return nil }
      values.append(
        UniqueValues.Part(of: row, at: property.byteOffset, as: entity.slots[slot].kind))
    }
    return values.isEmpty ? nil : UniqueValues(parts: values)
  }
}

/// The values of one row under a constraint. Texts are compared by their bytes.
private struct UniqueValues: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case integer(Int64)
    case real(Double)
    case bytes([UInt8])
    case decimal(Decimal)

    init(of row: Row, at offset: Int, as kind: SlotKind) {
      switch kind {
      case .integer: self = .integer(row.integer(at: offset))
      case .real: self = .real(row.real(at: offset))
      case .text, .blob: self = .bytes(Array(row.bytes(at: offset)))
      case .decimal: self = .decimal(Decimal(string: row.text(at: offset)) ?? .nan)
      }
    }
  }

  let parts: [Part]
}
