/// The changes between two versions of a model, in a deterministic order.
///
/// Entities and properties with the same renaming identifier are renamed, and are compared under both names. The
/// order of entities and properties, and additional content of documents, are ignored.
///
/// An addition, for tools and for reviews of model changes.
///
/// > Concurrency: A value; create it where the models may be read.
public struct ModelDifference: Sendable, Hashable, CustomStringConvertible {
  /// The changes: those of the model as a whole, then entity by entity in the order of their names.
  public let changes: [ModelChange]
  /// The changes that affect version hashes, so that a store of the old model cannot be opened with the new one; empty if all hashes
  /// are equal. An entity whose hash differs only because of its parent has a change of the "version hash".
  public let hashChanges: [ModelChange]
  /// Names, in the new model, of entities in both whose version hashes differ.
  public let changedHashes: [String]
  /// Whether a store of the old model must be migrated to open with the new one.
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

  /// Whether nothing changed.
  public var isEmpty: Bool { changes.isEmpty }

  /// One line for each change.
  public var description: String { changes.map(\.description).joined(separator: "\n") }
}

/// One change of a model.
///
/// An addition to Apple's API.
public struct ModelChange: Sendable, Hashable, CustomStringConvertible {
  /// The kind of change.
  public enum Action: String, Sendable, Hashable {
    case added, removed, renamed, changed
  }

  /// The changed element.
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
  /// The changed element.
  public let subject: Subject
  /// The entity's name in the new model, or in the old model if the entity was removed.
  public let entityName: String?
  /// The property, index, constraint, configuration or fetch request, by its newest name.
  public let name: String?
  /// The changed aspect, such as `type` or `optional`; nil if it was added, removed or renamed.
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

  /// The change as one line, such as `changed attribute Thread.title: optional NO to YES`.
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
