import Foundation
import OpenMigration
import OpenObjectModel
import OpenPredicates

/// The information that the `model` commands print about a model.
package struct ModelReport {
  private let model: NSManagedObjectModel

  /// Reads a model from a model file or from a store.
  ///
  /// - Throws: `ToolError` with status `.unreadable` if the file contains no model or cannot be
  ///   read. Throws `ToolError` with status `.usage` if `path` is a server URL that is not valid or
  ///   that the program does not support.
  package init(at path: String) throws { model = try InspectedStore.model(at: path) }

  /// Returns one row for each property that an entity declares, sorted by entity name and property
  /// name.
  package func properties() -> [[OutputValue.Field]] {
    let entities = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
    return entities.flatMap { entity in
      let inherited = Set(entity.superentity?.properties.map(\.name) ?? [])
      let own = entity.properties.filter { !inherited.contains($0.name) }
      return own.sorted { $0.name < $1.name }.map { row(of: $0, in: entity) }
    }
  }

  private func row(
    of property: NSPropertyDescription, in entity: NSEntityDescription
  ) -> [OutputValue.Field] {
    var flags: [String] = []
    if property.isOptional { flags.append("optional") }
    if property.isTransient { flags.append("transient") }
    let relationship = property as? NSRelationshipDescription
    if relationship?.isOrdered == true { flags.append("ordered") }
    return [
      .init("entity", .text(entity.name ?? "")),
      .init("parent", entity.superentity?.name.map { .text($0) } ?? .null),
      .init("property", .text(property.name)), .init("type", .text(Self.type(of: property))),
      .init("flags", .list(flags.map { .text($0) })),
      .init("inverse", relationship?.inverseRelationship.map { .text($0.name) } ?? .null),
      .init("deleteRule", relationship.map { .text(Self.name(of: $0.deleteRule)) } ?? .null),
    ]
  }

  private static func type(of property: NSPropertyDescription) -> String {
    switch property {
    case let derived as NSDerivedAttributeDescription:
      "\(derived.attributeType) = \(derived.derivationExpression?.description ?? "?")"
        .replacing("AttributeType", with: "")
    case let attribute as NSAttributeDescription:
      "\(attribute.attributeType)".replacing("AttributeType", with: "")
    case let relationship as NSRelationshipDescription:
      (relationship.isToMany ? "to many " : "to one ")
        + (relationship.destinationEntity?.name ?? "?")
    default: "fetched"
    }
  }

  private static func name(of rule: NSDeleteRule) -> String {
    switch rule {
    case .noActionDeleteRule: "no action"
    case .nullifyDeleteRule: "nullify"
    case .cascadeDeleteRule: "cascade"
    case .denyDeleteRule: "deny"
    }
  }

  /// The kinds of change to report.
  package enum Changes: Sendable {
    /// All changes of entities and properties.
    case all
    /// Only changes of version hashes. After such a change, a store cannot be opened without a
    /// migration.
    case ofHashes
  }

  /// Returns the changes from this model to another model, one in each row; empty if there are no
  /// changes.
  ///
  /// - Parameters:
  ///   - other: The later model.
  ///   - wanted: The kinds of change to report.
  package func changes(to other: ModelReport, _ wanted: Changes = .all) -> [[OutputValue.Field]] {
    let difference = ModelDifference(from: model, to: other.model)
    return (wanted == .all ? difference.changes : difference.hashChanges).map { change in
      [
        .init("action", .text(change.action.rawValue)),
        .init("subject", .text(change.subject.rawValue)),
        .init("entity", text(change.entityName)), .init("name", text(change.name)),
        .init("aspect", text(change.aspect)), .init("old", text(change.oldValue)),
        .init("new", text(change.newValue)),
      ]
    }
  }

  /// Returns the mappings that migrate objects of this model to a later model.
  ///
  /// - Parameter other: The later model.
  /// - Returns: If all changes can be inferred, one row for each entity mapping. Otherwise,
  ///   `isInferred` is false, and the rows are the changes that require a mapping model.
  /// - Throws: No error. If no mapping can be inferred, the result contains the reasons.
  package func migration(
    to other: ModelReport
  ) throws -> (isInferred: Bool, rows: [[OutputValue.Field]]) {
    do {
      let mapping = try NSMappingModel.inferredMappingModel(
        forSourceModel: model, destinationModel: other.model)
      return (true, mapping.entityMappings.map(row))
    } catch let error as CocoaError {
      guard let cause = error.userInfo[NSUnderlyingErrorKey] as? InferenceError else { throw error }
      return (false, cause.problems.map(row))
    }
  }

  /// Returns the Swift source of migration policies for the changes to a later model that cannot be
  /// inferred.
  ///
  /// - Parameter other: The later model.
  /// - Returns: The source; nil if every change can be inferred.
  /// - Throws: No error. If no mapping can be inferred, the method returns the source.
  package func policySource(to other: ModelReport) throws -> String? {
    do {
      _ = try NSMappingModel.inferredMappingModel(
        forSourceModel: model, destinationModel: other.model)
      return nil
    } catch let error as CocoaError {
      guard let cause = error.userInfo[NSUnderlyingErrorKey] as? InferenceError else { throw error }
      return PolicySkeleton(problems: cause.problems, model: other.model).source
    }
  }

  private func row(of mapping: NSEntityMapping) -> [OutputValue.Field] {
    func names(_ key: String) -> OutputValue {
      .list((mapping.userInfo?[key] as? Set<String> ?? []).sorted().map { .text($0) })
    }
    return [
      .init("mapping", .text(mapping.name)), .init("source", text(mapping.sourceEntityName)),
      .init("destination", text(mapping.destinationEntityName)),
      .init("added", names("addedProperties")), .init("removed", names("removedProperties")),
    ]
  }

  private func row(of problem: InferenceProblem) -> [OutputValue.Field] {
    [
      .init("entity", .text(problem.entityName)), .init("property", text(problem.propertyName)),
      .init("change", .text(problem.change)), .init("advice", .text(problem.advice)),
    ]
  }

  /// Returns the problems of the model, one in each row; empty if there are no problems.
  package func findings() -> [[OutputValue.Field]] {
    ModelLint.findings(in: model).map { finding in
      [
        .init("severity", .text("\(finding.severity)")),
        .init("code", .text(finding.code.rawValue)),
        .init("entity", text(finding.entityName)), .init("property", text(finding.propertyName)),
        .init("message", .text(finding.message)), .init("advice", .text(finding.advice)),
      ]
    }
  }

  /// Returns one row for the version hash of each entity as Base64 text, sorted by entity name,
  /// followed by one row each for the digest and the checksum of the model.
  package func hashes() -> [[OutputValue.Field]] {
    let hashes = model.entityVersionHashesByName.sorted { $0.key < $1.key }
    let entities = hashes.map { name, hash in row("entity", name, hash.base64EncodedString()) }
    return entities + [
      row("digest", "", model.versionHashesDigest), row("checksum", "", model.versionChecksum),
    ]
  }

  private func row(_ kind: String, _ name: String, _ hash: String) -> [OutputValue.Field] {
    [.init("kind", .text(kind)), .init("name", .text(name)), .init("hash", .text(hash))]
  }

  /// Returns a diagram of the model: an SVG image if `isSVG` is true, and otherwise Mermaid source.
  package func diagram(isSVG: Bool) -> String {
    let diagram = ModelDiagram(model)
    let text = isSVG ? diagram.svg : diagram.mermaid
    return text.hasSuffix("\n") ? text : text + "\n"
  }

  private func text(_ text: String?) -> OutputValue { text.map { .text($0) } ?? .null }
}
