internal import Foundation

/// Collects the changes between two models.
struct DifferenceBuilder {
  private let pairing: ModelPairing
  private let oldFacts: DescriptionFacts
  private let newFacts: DescriptionFacts
  private var changes: [ModelChange] = []

  static func changes(
    _ old: NSManagedObjectModel, _ new: NSManagedObjectModel, _ pairing: ModelPairing
  ) -> [ModelChange] {
    var builder = DifferenceBuilder(pairing)
    builder.compareModels(old, new)
    builder.compareEntities()
    return builder.changes
  }

  private init(_ pairing: ModelPairing) {
    self.pairing = pairing
    oldFacts = DescriptionFacts(
      entityName: { pairing.newName(of: $0) }, propertyName: { pairing.newName(of: $0) })
    newFacts = DescriptionFacts(entityName: { $0?.name }, propertyName: { $0?.name })
  }

  // MARK: The model

  private mutating func compareModels(_ old: NSManagedObjectModel, _ new: NSManagedObjectModel) {
    let identifiers = [old, new].map { model in
      model.versionIdentifiers.map { "\($0)" }.sorted().joined(separator: ", ")
    }
    if identifiers[0] != identifiers[1] {
      changes.append(
        ModelChange(
          .changed, .model, aspect: "version identifiers", from: identifiers[0].debugDescription,
          to: identifiers[1].debugDescription))
    }
    let members = { (model: NSManagedObjectModel, name: (NSEntityDescription) -> String?) in
      model.allConfigurations.mapValues {
        $0.compactMap(name).sorted().joined(separator: ", ")
      }
    }
    compare(
      members(old) { pairing.newName(of: $0) }, members(new) { $0.name }, .configuration,
      aspect: "entities", entity: nil)
    compare(
      old.fetchTemplates.compactMapValues { oldFacts.text($0) },
      new.fetchTemplates.compactMapValues { newFacts.text($0) }, .fetchRequest, aspect: "fetch",
      entity: nil)
  }

  /// Compares elements that are identified by name.
  private mutating func compare(
    _ old: [String: String], _ new: [String: String], _ subject: ModelChange.Subject,
    aspect: String, entity: String?
  ) {
    for name in Set(old.keys).union(new.keys).sorted() where old[name] != new[name] {
      switch (old[name], new[name]) {
      case (nil, _):
        changes.append(ModelChange(.added, subject, entity: entity, name: name, to: new[name]))
      case (_, nil):
        changes.append(ModelChange(.removed, subject, entity: entity, name: name, from: old[name]))
      default:
        changes.append(
          ModelChange(
            .changed, subject, entity: entity, name: name, aspect: aspect, from: old[name],
            to: new[name]))
      }
    }
  }

  // MARK: Entities

  private mutating func compareEntities() {
    let all: [(name: String, step: (inout DifferenceBuilder) -> Void)] =
      pairing.entities.removed.map { entity in
        (
          entity.name ?? "",
          { $0.changes.append(ModelChange(.removed, .entity, entity: entity.name)) }
        )
      }
      + pairing.entities.added.map { entity in
        (
          entity.name ?? "",
          { $0.changes.append(ModelChange(.added, .entity, entity: entity.name)) }
        )
      }
      + pairing.entities.pairs.map { pair in
        (pair.new.name ?? "", { $0.compare(pair.old, pair.new) })
      }
    for entry in all.sorted(by: { $0.name < $1.name }) { entry.step(&self) }
  }

  private mutating func compare(_ old: NSEntityDescription, _ new: NSEntityDescription) {
    let name = new.name ?? ""
    if old.name != new.name {
      changes.append(ModelChange(.renamed, .entity, entity: name, from: old.name, to: name))
    } else if old.renamingIdentifier != new.renamingIdentifier {
      changes.append(
        ModelChange(
          .changed, .entity, entity: name, aspect: "renaming identifier",
          from: old.ownRenamingIdentifier, to: new.ownRenamingIdentifier))
    }
    compare(oldFacts.facts(old), newFacts.facts(new), .entity, entity: name, name: nil)
    compareProperties(of: new)
    compareIndexes(old, new)
  }

  private mutating func compare(
    _ old: [DescriptionFacts.Fact], _ new: [DescriptionFacts.Fact],
    _ subject: ModelChange.Subject, entity: String?, name: String?
  ) {
    for (one, other) in zip(old, new) where one.value != other.value {
      changes.append(
        ModelChange(
          .changed, subject, entity: entity, name: name, aspect: one.aspect, from: one.value,
          to: other.value))
    }
  }

  // MARK: Properties

  private static func subject(_ property: NSPropertyDescription) -> ModelChange.Subject {
    switch property {
    case is NSAttributeDescription: .attribute
    case is NSRelationshipDescription: .relationship
    case is NSFetchedPropertyDescription: .fetchedProperty
    default: .property
    }
  }

  private mutating func compareProperties(of entity: NSEntityDescription) {
    let properties = pairing.properties(of: entity)
    let all: [(name: String, step: (inout DifferenceBuilder) -> Void)] =
      properties.removed.map { property in
        (property.name, { $0.note(.removed, property, entity) })
      }
      + properties.added.map { property in (property.name, { $0.note(.added, property, entity) }) }
      + properties.pairs.map { pair in (pair.new.name, { $0.compare(pair, entity) }) }
    for entry in all.sorted(by: { $0.name < $1.name }) { entry.step(&self) }
  }

  private mutating func note(
    _ action: ModelChange.Action, _ property: NSPropertyDescription, _ entity: NSEntityDescription
  ) {
    changes.append(
      ModelChange(action, Self.subject(property), entity: entity.name, name: property.name))
  }

  private mutating func compare(
    _ pair: (old: NSPropertyDescription, new: NSPropertyDescription), _ entity: NSEntityDescription
  ) {
    let subject = Self.subject(pair.new)
    guard Self.subject(pair.old) == subject else {
      note(.removed, pair.old, entity)
      return note(.added, pair.new, entity)
    }
    if pair.old.name != pair.new.name {
      changes.append(
        ModelChange(
          .renamed, subject, entity: entity.name, name: pair.new.name, from: pair.old.name,
          to: pair.new.name))
    } else if pair.old.renamingIdentifier != pair.new.renamingIdentifier {
      changes.append(
        ModelChange(
          .changed, subject, entity: entity.name, name: pair.new.name,
          aspect: "renaming identifier", from: pair.old.ownRenamingIdentifier,
          to: pair.new.ownRenamingIdentifier))
    }
    compare(
      oldFacts.facts(pair.old), newFacts.facts(pair.new), subject, entity: entity.name,
      name: pair.new.name)
  }

  // MARK: Indexes and constraints

  private mutating func compareIndexes(_ old: NSEntityDescription, _ new: NSEntityDescription) {
    let text = { (facts: DescriptionFacts, index: NSFetchIndexDescription) in
      facts.facts(index).compactMap(\.value).joined(separator: " where ")
    }
    let indexes = { (entity: NSEntityDescription, facts: DescriptionFacts) in
      Dictionary(entity.indexes.map { ($0.name, text(facts, $0)) }) { first, _ in first }
    }
    compare(
      indexes(old, oldFacts), indexes(new, newFacts), .fetchIndex, aspect: "columns",
      entity: new.name)
    compareGroups(
      old.names(in: old.compoundIndexes), new.names(in: new.compoundIndexes), .compoundIndex,
      from: old, to: new)
    compareGroups(
      old.constraintNames, new.constraintNames, .uniquenessConstraint, from: old, to: new)
  }

  /// Compares groups of property names; the order of the groups is ignored.
  private mutating func compareGroups(
    _ oldGroups: [[String]], _ newGroups: [[String]], _ subject: ModelChange.Subject,
    from old: NSEntityDescription, to new: NSEntityDescription
  ) {
    let renamed = old.propertiesByName.mapValues { pairing.newName(of: $0) ?? $0.name }
    let before = Set(oldGroups.map { $0.map { renamed[$0] ?? $0 }.joined(separator: ", ") })
    let after = Set(newGroups.map { $0.joined(separator: ", ") })
    for group in before.subtracting(after).sorted() {
      changes.append(ModelChange(.removed, subject, entity: new.name, name: group))
    }
    for group in after.subtracting(before).sorted() {
      changes.append(ModelChange(.added, subject, entity: new.name, name: group))
    }
  }
}
