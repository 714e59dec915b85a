/// The changes between two versions of a model, in a deterministic order.
///
/// Use this type in tools and in reviews of model changes. Entities and properties with the same
/// renaming identifier are treated as renamed and compared with each other. The order of entities
/// and properties, and additional content of documents, are ignored. This is an addition to Apple's
/// API.
///
/// > Concurrency: Create the value on a thread on which the models may be read.
public struct ModelDifference: Sendable, Hashable, CustomStringConvertible {
  /// The changes: first those of the model as a whole, then those of each entity, sorted by entity
  /// name.
  public let changes: [ModelChange]
  /// The changes that affect version hashes; empty if all hashes are equal.
  ///
  /// Because of these changes, a store of the old model cannot be opened with the new model. An
  /// entity whose hash differs only because of its superentity has a change whose aspect is
  /// `version hash`.
  public let hashChanges: [ModelChange]
  /// The names, in the new model, of entities that exist in both models with different version
  /// hashes.
  public let changedHashes: [String]
  /// Whether a store of the old model can be opened with the new model only after a migration.
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

  /// Whether there are no changes.
  public var isEmpty: Bool { changes.isEmpty }

  /// The changes, one in each line.
  public var description: String { changes.map(\.description).joined(separator: "\n") }
}

/// A change in a model.
///
/// This is an addition to Apple's API.
public struct ModelChange: Sendable, Hashable, CustomStringConvertible {
  /// The kind of change.
  public enum Action: String, Sendable, Hashable {
    case added, removed, renamed, changed
  }

  /// The kind of changed element.
  public enum Subject: String, Sendable, Hashable {
    case model
    case configuration
    case fetchRequest = "fetch request"
    case entity
    case attribute
    case relationship
    case fetchedProperty = "fetched property"
    case property
    case fetchIndex = "fetch index"
    case compoundIndex = "compound index"
    case uniquenessConstraint = "uniqueness constraint"
  }

  /// The kind of change.
  public let action: Action
  /// The kind of changed element.
  public let subject: Subject
  /// The entity's name in the new model, or in the old model if the entity was removed.
  public let entityName: String?
  /// The name of the property, index, constraint, configuration or fetch request in the new model,
  /// or in the old model if the element was removed.
  public let name: String?
  /// The changed aspect, such as `type` or `optional`; nil if the element was added, removed or
  /// renamed.
  public let aspect: String?
  /// The value or name in the old model; nil if there was none.
  public let oldValue: String?
  /// The value or name in the new model; nil if there is none.
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
