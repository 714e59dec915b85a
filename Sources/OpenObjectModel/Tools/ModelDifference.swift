/// The changes between two versions of a model, in a deterministic order.
///
/// Use this type in tools and in reviews of model changes. The comparison treats an old and a new
/// entity with the same renaming identifier as the same entity. If the two entities have different
/// names, ``changes`` contains a renaming. The same rules apply to properties. The comparison
/// ignores the order of entities and properties. The comparison also ignores content of model
/// documents that is not part of the model.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: Create the value on a thread on which the models may be read.
public struct ModelDifference: Sendable, Hashable, CustomStringConvertible {
  /// The changes to the model as a whole, followed by the changes to each entity, sorted by entity
  /// name; empty if there are none.
  public let changes: [ModelChange]
  /// The changes that affect version hashes; empty if all hashes are equal.
  ///
  /// Because of these changes, a store of the old model must be migrated before the store can be
  /// opened with the new model. If the hash of an entity differs only because its superentity
  /// changed, the list contains a change to this entity with the aspect `version hash`.
  public let hashChanges: [ModelChange]
  /// The names of the entities that exist in both models with different version hashes.
  ///
  /// For a renamed entity, the list contains the name in the new model.
  public let changedHashes: [String]
  /// Whether a store of the old model must be migrated before the store can be opened with the new
  /// model.
  public let needsMigration: Bool

  /// Compares two models.
  ///
  /// - Parameters:
  ///   - old: The earlier version.
  ///   - new: The later version.
  public init(from old: NSManagedObjectModel, to new: NSManagedObjectModel) {
    let hashes = (old: old.entityVersionHashesByName, new: new.entityVersionHashesByName)
    let pairing = ModelPairing(old, new)
    changes = DifferenceBuilder.changes(old, new, pairing)
    hashChanges = HashChanges(pairing, hashes.old, hashes.new).among(changes)
    changedHashes = pairing.entities.pairs.compactMap { pair in
      let name = pair.new.name ?? ""
      return hashes.old[pair.old.name ?? ""] == hashes.new[name] ? nil : name
    }.sorted()
    needsMigration = hashes.old != hashes.new
  }

  /// Whether the comparison found no changes.
  public var isEmpty: Bool { changes.isEmpty }

  /// A string that describes each change on a separate line.
  public var description: String { changes.map(\.description).joined(separator: "\n") }
}

/// A change in a model.
///
/// This is an addition to Apple's API.
public struct ModelChange: Sendable, Hashable, CustomStringConvertible {
  /// The kind of change.
  public enum Action: String, Sendable, Hashable {
    /// The element is only in the new model (`added`), is only in the old model (`removed`), has
    /// another name in the new model (`renamed`), or has a different aspect, such as its type, in
    /// the new model (`changed`).
    case added, removed, renamed, changed
  }

  /// The kind of the changed element.
  public enum Subject: String, Sendable, Hashable {
    /// The model as a whole, such as its version identifiers.
    case model
    /// A configuration of the model.
    case configuration
    /// A fetch request template of the model.
    case fetchRequest = "fetch request"
    /// An entity itself, such as its class name or superentity.
    case entity
    /// An attribute of an entity.
    case attribute
    /// A relationship of an entity.
    case relationship
    /// A fetched property of an entity.
    case fetchedProperty = "fetched property"
    /// A property that is not an attribute, a relationship or a fetched property.
    case property
    /// A fetch index of an entity (`NSEntityDescription.indexes`).
    case fetchIndex = "fetch index"
    /// A compound index of an entity (`NSEntityDescription.compoundIndexes`).
    case compoundIndex = "compound index"
    /// A uniqueness constraint of an entity.
    case uniquenessConstraint = "uniqueness constraint"
  }

  /// The kind of change.
  public let action: Action
  /// The kind of the changed element.
  public let subject: Subject
  /// The entity's name in the new model, or in the old model if the entity was removed; nil if the
  /// change does not concern an entity.
  public let entityName: String?
  /// The name of the property, index, constraint, configuration or fetch request in the new model,
  /// or in the old model if the element was removed; nil if the changed element is the model or an
  /// entity.
  public let name: String?
  /// The changed aspect, such as `type` or `optional`; nil if the element was added, removed or
  /// renamed.
  public let aspect: String?
  /// The value, name or contents in the old model.
  ///
  /// The property contains one of the following:
  /// - for a changed aspect, the aspect's value in the old model; nil if there is no value
  /// - for a renamed element, the old name
  /// - for a removed fetch index, fetch request or configuration, the contents
  ///
  /// For any other change, the property is nil.
  public let oldValue: String?
  /// The value, name or contents in the new model.
  ///
  /// The property contains one of the following:
  /// - for a changed aspect, the aspect's value in the new model; nil if there is no value
  /// - for a renamed element, the new name
  /// - for an added fetch index, fetch request or configuration, the contents
  ///
  /// For any other change, the property is nil.
  public let newValue: String?

  init(
    _ action: Action, _ subject: Subject, entity: String? = nil, name: String? = nil,
    aspect: String? = nil, from oldValue: String? = nil, to newValue: String? = nil
  ) {
    self.action = action
    self.subject = subject
    entityName = entity
    self.name = name
    self.aspect = aspect
    self.oldValue = oldValue
    self.newValue = newValue
  }

  /// The change in one line, such as `changed attribute Thread.title: optional NO to YES`.
  public var description: String {
    let place = [entityName, name].compactMap { $0 }.joined(separator: ".")
    var line = [action.rawValue, subject.rawValue, place].filter { !$0.isEmpty }
      .joined(separator: " ")
    if let aspect { line += ": \(aspect)" }
    switch action {
    case .renamed: line += " from \(oldValue ?? "nothing")"
    case .changed: line += " \(oldValue ?? "nothing") to \(newValue ?? "nothing")"
    case .added, .removed: break
    }
    return line
  }
}
