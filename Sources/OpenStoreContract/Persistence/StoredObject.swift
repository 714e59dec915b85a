internal import Foundation
package import OpenObjectModel
internal import OpenPredicates

/// The form of an object in a file: the values of its row, and the keys of its destinations.
package struct StoredObject: Sendable {
  /// The object's actual entity.
  package var entity: CompiledEntity
  /// The object's primary key.
  package var key: Int64
  /// The version of the object's row.
  package var version: Int64 = 1
  /// The values of the object's attributes.
  package var values: [SlotValue] = []
  /// The primary key of the destination of each to-one relationship, with the ordinal of the
  /// relationship. Relationships without a destination are omitted.
  package var toOne: [(ordinal: Int, key: Int64)] = []
  /// The primary keys of the destinations of each to-many relationship, in their order, with the
  /// ordinal of the relationship.
  package var toMany: [(ordinal: Int, keys: [Int64])] = []

  /// Creates an object without values.
  ///
  /// - Parameters:
  ///   - entity: The object's actual entity.
  ///   - key: The object's primary key.
  ///   - version: The version of the object's row.
  package init(entity: CompiledEntity, key: Int64, version: Int64 = 1) {
    self.entity = entity
    self.key = key
    self.version = version
  }
}

extension StoredObject {
  /// Calls `body` with each object of a store, grouped by root entity and in the order of keys.
  ///
  /// The objects omit references to missing destinations if the relationship has no inverse, or if
  /// the delete rule of the inverse is No Action.
  ///
  /// - Parameters:
  ///   - store: The store to read.
  ///   - model: The model of the store.
  ///   - body: A closure that receives the next object.
  /// - Throws: `StoreError` with code `.corrupt` if a stored value is not valid for its property,
  ///   `StoreError` with another code if the store cannot be read, or the error that `body` throws.
  package static func forEach(
    in store: any StoreBackend, of model: CompiledModel,
    _ body: (StoredObject) throws(StoreError) -> Void
  ) throws(StoreError) {
    let present = try PresentKeys(in: store, of: model)
    for root in model.entities where root.superIndex == nil {
      try store.forEachChunk(matching: FetchPlan(shape: FetchShape(entity: root))) {
        (chunk) throws(StoreError) in
        var rows: [Row] = []
        chunk.forEachRow { rows.append($0) }
        for row in rows { try body(try StoredObject(row, in: store, of: model, present)) }
      }
    }
  }

  private init(
    _ row: Row, in store: any StoreBackend, of model: CompiledModel, _ present: PresentKeys
  ) throws(StoreError) {
    self.init(entity: model.entities[row.entityIndex], key: row.key, version: row.version)
    for property in entity.properties where !property.isTransient {
      guard let relationship = property.relationship else {
        guard let slot = property.slot, !row.isNull(slot) else { continue }
        values.append(
          SlotValue(slot: slot, content: try content(of: property, in: row, slot: slot)))
        continue
      }
      if let slot = property.slot {
        guard !row.isNull(slot) else { continue }
        let destination = row.integer(at: property.byteOffset)
        if !present.mayContain(destination, of: relationship) { continue }
        toOne.append((property.ordinal, destination))
      } else if relationship.isToMany {
        let lists = try store.destinations(of: property, in: entity, sources: [key])
        guard let keys = lists.first?.map(\.key), !keys.isEmpty else { continue }
        toMany.append((property.ordinal, keys))
      }
    }
  }

  /// Returns the content of an attribute in the form in which a file contains it.
  ///
  /// A SQLite store can contain values outside the range of their attributes. A file with such a
  /// value could not be read.
  private func content(
    of property: CompiledProperty, in row: Row, slot: Int
  ) throws(StoreError) -> SlotContent {
    let column = entity.slots[slot]
    // A copy with replaced characters would look like a valid value.
    let content =
      column.kind == .text
      ? String(validPacked: row.bytes(at: property.byteOffset)).map { SlotContent.text($0) }
      : row.content(of: slot, in: entity)
    guard let content, content.fits(column.domain, column.kind) else {
      throw .unreadableValue(of: property, in: entity, row: row.key)
    }
    // Another program may have stored any integer as a Boolean value.
    if column.domain == .boolean, case .integer(let integer) = content {
      return .integer(integer == 0 ? 0 : 1)
    }
    return content
  }
}

extension SlotContent {
  /// Returns whether an attribute with a domain can have the content.
  fileprivate func fits(_ domain: SlotDomain, _ kind: SlotKind) -> Bool {
    switch self {
    case .null: true
    case .integer(let integer): domain == .boolean || domain.accepts(.int(integer))
    case .real(let real): domain.accepts(.double(real))
    case .text(let text) where kind == .decimal:
      Decimal(string: text).map { domain.accepts(.decimal(DecimalValue($0))) } ?? false
    case .text(let text): domain.accepts(.string(text))
    case .data(let data): domain.accepts(.data(data))
    }
  }
}

extension CompiledModel {
  /// Returns whether a to-one relationship can still refer to its destination after the destination
  /// was deleted, because no delete rule applies to the relationship.
  func mayOutliveDestination(_ relationship: CompiledRelationship) -> Bool {
    let inverse = inverse(of: relationship)?.relationship
    return inverse == nil || inverse?.deleteRule == .noAction
  }
}

/// The keys of the existing objects, for the detection of references to deleted objects.
private struct PresentKeys {
  /// The keys by root entity; only for destinations of relationships that can refer to deleted
  /// objects.
  private var keys: [Int: Set<Int64>] = [:]

  init(in store: any StoreBackend, of model: CompiledModel) throws(StoreError) {
    for entity in model.entities {
      for property in entity.properties where property.slot != nil {
        guard let relationship = property.relationship,
          model.mayOutliveDestination(relationship)
        else { continue }
        let root = relationship.destination.rootIndex
        if keys[root] != nil { continue }
        var found: Set<Int64> = []
        try store.forEachKeyBatch(
          matching: FetchPlan(shape: FetchShape(entity: model.entities[root]))
        ) { (batch) throws(StoreError) in
          for id in batch { found.insert(id.key) }
        }
        keys[root] = found
      }
    }
  }

  /// Returns whether the destination of a relationship may exist.
  func mayContain(_ key: Int64, of relationship: CompiledRelationship) -> Bool {
    keys[relationship.destination.rootIndex]?.contains(key) ?? true
  }
}
