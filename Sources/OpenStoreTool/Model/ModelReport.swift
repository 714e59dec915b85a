import Foundation
package import OpenObjectModel

/// What the `model` commands tell of a model, as rows.
package struct ModelReport {
  private let model: NSManagedObjectModel

  package init(_ model: NSManagedObjectModel) { self.model = model }

  /// The properties of all entities, each once: where it is declared.
  package func properties() -> [[OutputValue.Field]] {
    entities.flatMap { entity -> [[OutputValue.Field]] in
      let inherited = Set(entity.superentity?.propertiesByName.keys.map { $0 } ?? [])
      let own = entity.properties.filter { !inherited.contains($0.name) }
      let rows = own.sorted { $0.name < $1.name }.map { row(of: $0, in: entity) }
      return rows.isEmpty ? [Self.row(Row(kind: "entity"), entity)] : rows
    }
  }

  /// The version hash of each entity, in the two ways that tools print it.
  package func hashes() -> [[OutputValue.Field]] {
    model.entityVersionHashesByName.sorted { $0.key < $1.key }.map { name, hash in
      [
        .init("entity", .text(name)), .init("hex", .text(Self.hex(hash))),
        .init("base64", .text(hash.base64EncodedString())),
      ]
    }
  }

  /// The checksum of the whole model, as a `.momd` folder lists it.
  package var checksum: String { model.versionChecksum }

  /// The entities as a Mermaid class diagram.
  package var mermaid: String { ModelDiagram(model).mermaid }

  /// The entities as a picture.
  package var svg: String { ModelDiagram(model).svg }

  /// What is wrong with the model, or will be.
  package func flaws() -> [[OutputValue.Field]] {
    ModelLint.findings(in: model).map { finding in
      [
        .init("severity", .text("\(finding.severity)")), .init("code", .text(finding.code.rawValue)),
        .init("entity", Self.text(finding.entityName)),
        .init("property", Self.text(finding.propertyName)),
        .init("message", .text(finding.message)), .init("advice", .text(finding.advice)),
      ]
    }
  }

  /// What changed from an older version to this one.
  package func changes(since old: NSManagedObjectModel) -> [[OutputValue.Field]] {
    let difference = ModelDifference(from: old, to: model)
    let changed = Set(difference.changedHashes)
    return difference.changes.map { change in
      [
        .init("action", .text(change.action.rawValue)),
        .init("subject", .text(change.subject.rawValue)),
        .init("entity", Self.text(change.entityName)), .init("name", Self.text(change.name)),
        .init("aspect", Self.text(change.aspect)), .init("old", Self.text(change.oldValue)),
        .init("new", Self.text(change.newValue)),
        .init("hashDiffers", .bool(change.entityName.map { changed.contains($0) } ?? false)),
      ]
    }
  }

  // MARK: Rows of properties

  /// What a property has beside its name; the same columns for all kinds.
  private struct Row {
    var kind: String
    var property: NSPropertyDescription?
    var type = ""
    var initial: OutputValue = .null
    var inverse: String?
    var isOrdered = false
  }

  private func row(
    of property: NSPropertyDescription, in entity: NSEntityDescription
  ) -> [OutputValue.Field] {
    var row = Row(kind: "property", property: property)
    switch property {
    case let attribute as NSAttributeDescription:
      row.kind = "attribute"
      row.type = ModelTexts.typeName(attribute)
      row.initial = ModelTexts.value(attribute.defaultValue)
    case let relationship as NSRelationshipDescription:
      row.kind = relationship.isToMany ? "to-many" : "to-one"
      row.type = relationship.destinationEntity?.name ?? ""
      row.inverse = relationship.inverseRelationship?.name
      row.isOrdered = relationship.isOrdered
    case is NSFetchedPropertyDescription: row.kind = "fetched property"
    default: break
    }
    return Self.row(row, entity)
  }

  private static func row(_ row: Row, _ entity: NSEntityDescription) -> [OutputValue.Field] {
    [
      .init("entity", text(entity.name)), .init("parent", text(entity.superentity?.name)),
      .init("property", text(row.property?.name)), .init("kind", .text(row.kind)),
      .init("type", row.type.isEmpty ? .null : .text(row.type)),
      .init("optional", .bool(row.property?.isOptional ?? true)),
      .init("transient", .bool(row.property?.isTransient ?? false)),
      .init("default", row.initial), .init("inverse", text(row.inverse)),
      .init("ordered", .bool(row.isOrdered)),
    ]
  }

  private var entities: [NSEntityDescription] {
    model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
  }

  private static func text(_ text: String?) -> OutputValue { text.map { .text($0) } ?? .null }

  private static func hex(_ data: Data) -> String {
    data.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
