import Foundation
package import OpenObjectModel
import OpenPredicates
package import OpenStoreContract

/// A converter from rows of a store to the fields that commands print.
///
/// Each attribute becomes a field with the attribute's name, and each to-one relationship becomes a
/// URI.
package struct RowPresenter {
  private let model: CompiledModel
  private let backend: any StoreBackend
  /// Whether the presenter also reads and prints to-many relationships.
  private let includesToMany: Bool
  /// The printed properties of each entity, sorted by name.
  private let properties: [[CompiledProperty]]

  package init(model: CompiledModel, backend: any StoreBackend, includesToMany: Bool) {
    self.model = model
    self.backend = backend
    self.includesToMany = includesToMany
    properties = model.entities.map { entity in
      entity.properties.filter { property in
        !property.isElement && !property.isTransient
          && (includesToMany || property.relationship?.isToMany != true)
      }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
  }

  /// Returns the names of the printed properties of an entity.
  func names(of entity: CompiledEntity) -> [String] { properties[entity.index].map(\.name) }

  /// Passes the fields of each row of a chunk to a closure.
  ///
  /// The method reads the to-many relationships of all rows together.
  ///
  /// - Parameters:
  ///   - chunk: The rows to present.
  ///   - body: A closure that receives the fields of one row.
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   relationships cannot be read; the error that `body` throws.
  package func present(
    _ chunk: RowChunk, _ body: ([OutputValue.Field]) throws -> Void
  ) throws {
    var rows: [Row] = []
    chunk.forEachRow { rows.append($0) }
    let members = includesToMany ? try members(of: rows) : [:]
    for (index, row) in rows.enumerated() {
      try body(fields(of: row, members[index] ?? [:]))
    }
  }

  /// Returns the URI of the object in a row.
  ///
  /// If the model has no entity at the index, the URI contains `?` instead of the name of the
  /// entity.
  ///
  /// - Parameters:
  ///   - entityIndex: The index of the object's entity in the model.
  ///   - key: The primary key of the row.
  package func uri(_ entityIndex: Int, _ key: Int64) -> String {
    let name = model.entities.indices.contains(entityIndex) ? model.entities[entityIndex].name : "?"
    return "x-coredata://\(backend.identifier)/\(name)/p\(key)"
  }

  // MARK: One row

  private func fields(
    of row: Row, _ members: [Int: OutputValue]
  ) -> [OutputValue.Field] {
    let entity = model.entities[row.entityIndex]
    var fields: [OutputValue.Field] = [
      .init("objectID", .text(uri(row.entityIndex, row.key))), .init("entity", .text(entity.name)),
    ]
    for property in properties[row.entityIndex] {
      if let relationship = property.relationship, relationship.isToMany {
        if let list = members[property.ordinal] { fields.append(.init(property.name, list)) }
        continue
      }
      fields.append(.init(property.name, value(of: property, in: row, entity)))
    }
    return fields
  }

  private func value(
    of property: CompiledProperty, in row: Row, _ entity: CompiledEntity
  ) -> OutputValue {
    switch property.kind {
    case .relationship(let relationship): return destination(property, relationship, row)
    case .attribute(let attribute):
      if !attribute.elements.isEmpty { return composite(property, attribute, row, entity) }
      guard let slot = property.slot, !row.isNull(slot) else { return .null }
      return Self.value(attribute.type, at: property.byteOffset, of: row)
    }
  }

  private func destination(
    _ property: CompiledProperty, _ relationship: CompiledRelationship, _ row: Row
  ) -> OutputValue {
    guard let slot = property.slot, !row.isNull(slot) else { return .null }
    var index = relationship.destinationIndex
    if let discriminator = relationship.discriminatorSlot, !row.isNull(discriminator) {
      let offset = property.byteOffset + 8 * (discriminator - slot)
      let number = row.integer(at: offset)
      if let found = Int(exactly: number - 1), model.entities.indices.contains(found) {
        index = found
      }
    }
    return .text(uri(index, row.integer(at: property.byteOffset)))
  }

  /// A composite attribute as an object, nested as its elements are; null when none has a value.
  private func composite(
    _ property: CompiledProperty, _ attribute: CompiledAttribute, _ row: Row,
    _ entity: CompiledEntity
  ) -> OutputValue {
    let leaves = attribute.elements.map { ordinal in
      let leaf = entity.properties[ordinal]
      let path = leaf.name.split(separator: ".").dropFirst().map(String.init)
      return (path: path[...], value: value(of: leaf, in: row, entity))
    }
    return leaves.allSatisfy { $0.value == .null } ? .null : Self.nested(leaves)
  }

  private static func nested(
    _ leaves: [(path: ArraySlice<String>, value: OutputValue)]
  ) -> OutputValue {
    var order: [String] = []
    var groups: [String: [(path: ArraySlice<String>, value: OutputValue)]] = [:]
    for leaf in leaves {
      let name = leaf.path.first ?? ""
      if groups[name] == nil { order.append(name) }
      groups[name, default: []].append((leaf.path.dropFirst(), leaf.value))
    }
    return .object(
      order.map { name in
        let group = groups[name] ?? []
        let isLeaf = group.count == 1 && group[0].path.isEmpty
        return .init(name, isLeaf ? group[0].value : nested(group))
      })
  }

  /// Returns a stored value as output. A value that its type cannot represent is returned in its
  /// stored form.
  private static func value(
    _ type: AttributeType, at offset: Int, of row: Row
  ) -> OutputValue {
    switch type {
    case .integer16, .integer32, .integer64, .objectID: .integer(row.integer(at: offset))
    case .boolean: .bool(row.integer(at: offset) != 0)
    case .double, .float: .real(row.real(at: offset))
    case .date:
      DateText.text(ofSecondsSinceReference: row.real(at: offset)).map { .text($0) }
        ?? .real(row.real(at: offset))
    case .string, .uri, .decimal: .text(row.text(at: offset))
    case .uuid:
      row.uuid(at: offset).map { .text($0.uuidString) }
        ?? .text(Data(row.bytes(at: offset)).base64EncodedString())
    case .binaryData, .transformable, .composite, .undefined:
      .text(Data(row.bytes(at: offset)).base64EncodedString())
    }
  }

  // MARK: To-many

  /// URIs of the members by row and ordinal.
  private func members(of rows: [Row]) throws -> [Int: [Int: OutputValue]] {
    var members: [Int: [Int: OutputValue]] = [:]
    let groups = Dictionary(grouping: rows.indices) { rows[$0].entityIndex }
    for (entityIndex, positions) in groups {
      let entity = model.entities[entityIndex]
      for property in entity.properties where property.relationship?.isToMany == true {
        guard !property.isTransient, let relationship = property.relationship else { continue }
        let lists = try backend.destinations(
          of: property, in: entity, sources: positions.map { rows[$0].key })
        for (position, list) in zip(positions, lists) {
          let sorted = relationship.isOrdered ? list : list.sorted { $0.key < $1.key }
          members[position, default: [:]][property.ordinal] = .list(
            sorted.map { .text(uri(Int($0.entityIndex), $0.key)) })
        }
      }
    }
    return members
  }
}
