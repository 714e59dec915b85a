package import Foundation
package import OpenObjectModel
package import OpenStoreContract

/// The bit masks that identify the changed properties of a row in the history of a file.
///
/// The most significant bit of the first byte represents the first property. The properties of
/// superentities come first. For each entity, the bits represent the to-one relationships, the
/// row's positions in ordered relationships, the attributes, and the to-many relationships, each
/// sorted by name.
package struct HistoryMask: Sendable {
  /// The ordinals by bit; nil for a position in an ordered relationship, which is not a property of
  /// the row.
  private let ordinals: [Int?]
  /// The bits by ordinal.
  private let bits: [Int: Int]
  /// The ordinal of the to-one relationship to which a position belongs, by bit.
  private let placeOwners: [Int: Int]

  /// Creates the masks of an entity.
  package init(of entity: CompiledEntity) {
    var owners: [Int: Int] = [:]
    var count = 0
    ordinals = entity.lineage.flatMap { ancestor -> [Int?] in
      let own = ancestor.ownProperties.filter { !$0.isElement }.sorted { $0.name < $1.name }
      let toOne = own.filter { $0.relationship?.isToMany == false }
      let placed = toOne.filter { Self.hasPlace($0, in: entity) }
      for (index, property) in placed.enumerated() {
        owners[count + toOne.count + index] = property.ordinal
      }
      let all =
        toOne.map(\.ordinal) + placed.map { _ in Int?.none }
        + own.filter { $0.attribute != nil }.map(\.ordinal)
        + own.filter { $0.relationship?.isToMany == true }.map(\.ordinal)
      count += all.count
      return all
    }
    placeOwners = owners
    bits = Dictionary(
      ordinals.enumerated().compactMap { bit, ordinal in ordinal.map { ($0, bit) } }
    ) { first, _ in first }
  }

  /// Returns whether a to-one relationship has a column for the row's position among the members of
  /// the inverse relationship.
  private static func hasPlace(_ property: CompiledProperty, in entity: CompiledEntity) -> Bool {
    guard property.slot != nil, let relationship = property.relationship,
      let inverse = entity.model.inverse(of: relationship)?.relationship
    else { return false }
    return inverse.isToMany && inverse.isOrdered
  }

  private var byteCount: Int { (ordinals.count + 7) / 8 }

  /// Returns the mask of changed properties.
  ///
  /// - Parameters:
  ///   - changed: The ordinals of the changed properties.
  ///   - entity: The entity of the changed row.
  package func data(of changed: OrdinalSet, in entity: CompiledEntity) -> Data {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    changed.forEach { ordinal in
      let property = entity.properties[ordinal]
      guard let bit = bits[(entity.composite(of: property) ?? property).ordinal] else { return }
      bytes[bit >> 3] |= 0x80 >> UInt8(bit & 7)
    }
    return Data(bytes)
  }

  /// The mask of all positions in ordered relationships.
  package var places: Data {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    for (bit, ordinal) in ordinals.enumerated() where ordinal == nil {
      bytes[bit >> 3] |= 0x80 >> UInt8(bit & 7)
    }
    return Data(bytes)
  }

  /// Returns a mask of the same changes under another model.
  ///
  /// - Parameters:
  ///   - mask: The mask to convert.
  ///   - other: The masks of the entity in the other model.
  ///   - ordinals: The ordinals in the other model, by ordinal in this model. Properties that the
  ///     other model does not contain are omitted.
  package func translated(_ mask: Data, to other: HistoryMask, _ ordinals: [Int: Int]) -> Data {
    var bytes = [UInt8](repeating: 0, count: other.byteCount)
    let places = Dictionary(other.placeOwners.map { ($0.value, $0.key) }) { first, _ in first }
    for (index, byte) in mask.enumerated() where byte != 0 {
      for bit in 0..<8 where byte & (0x80 >> UInt8(bit)) != 0 {
        let position = index * 8 + bit
        guard self.ordinals.indices.contains(position) else { continue }
        let target =
          self.ordinals[position].flatMap { ordinals[$0] }.flatMap { other.bits[$0] }
          ?? placeOwners[position].flatMap { ordinals[$0] }.flatMap { places[$0] }
        if let target { bytes[target >> 3] |= 0x80 >> UInt8(target & 7) }
      }
    }
    return Data(bytes)
  }

  /// Returns whether every mask has the same meaning under another model.
  ///
  /// - Parameters:
  ///   - other: The masks of the entity in the other model.
  ///   - ordinals: The ordinals in the other model, by ordinal in this model.
  package func isSame(as other: HistoryMask, _ ordinals: [Int: Int]) -> Bool {
    byteCount == other.byteCount
      && self.ordinals.indices.allSatisfy { bit in
        var bytes = [UInt8](repeating: 0, count: byteCount)
        bytes[bit >> 3] |= 0x80 >> UInt8(bit & 7)
        return translated(Data(bytes), to: other, ordinals) == Data(bytes)
      }
  }

  /// Returns the changed properties in a mask. Bits that do not represent a property are ignored.
  package func ordinals(in mask: Data) -> OrdinalSet {
    var changed = OrdinalSet()
    for (index, byte) in mask.enumerated() where byte != 0 {
      for bit in 0..<8 where byte & (0x80 >> UInt8(bit)) != 0 {
        let position = index * 8 + bit
        guard ordinals.indices.contains(position), let ordinal = ordinals[position] else {
          continue
        }
        changed.insert(ordinal)
      }
    }
    return changed
  }
}

extension CompiledEntity {
  /// The superentities and the entity itself, starting with the root entity.
  fileprivate var lineage: [CompiledEntity] {
    var lineage: [CompiledEntity] = [self]
    while let parent = lineage[0].superIndex { lineage.insert(model.entities[parent], at: 0) }
    return lineage
  }

  /// The properties whose values the history preserves when a row is deleted. The properties of
  /// superentities come first, and the properties of each entity are sorted by name.
  package var tombstoneProperties: [CompiledProperty] {
    lineage.flatMap { ancestor in
      properties.filter {
        $0.declaringEntityIndex == ancestor.index && $0.slot != nil
          && $0.attribute?.preservesValueInHistory == true
      }
      .sorted { $0.name < $1.name }
    }
  }
}
