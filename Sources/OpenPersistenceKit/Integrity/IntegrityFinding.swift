internal import Foundation
public import OpenObjectGraph

/// A problem that an integrity check found in a store: a violation of the model or of a rule of the
/// application, or damage to the store.
///
/// > Concurrency: A value type; usable on any thread.
public struct IntegrityFinding: Sendable, Hashable, CustomStringConvertible {
  /// The kinds of problem.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A relationship refers to an object that does not exist.
    case danglingReference
    /// A relationship refers to an object whose entity is not allowed as the destination.
    case wrongEntity
    /// An object refers to another object that does not refer back.
    case oneSidedInverse
    /// A required property has no value.
    case missingValue
    /// A stored value does not have the type of its property, such as text in a numeric column.
    case wrongType
    /// Two objects have equal values for all properties of a uniqueness constraint.
    case duplicateValues
    /// A join row of a many-to-many relationship refers to an object that does not exist.
    case orphanedJoinRow
    /// The file of an external value is missing.
    case missingFile
    /// The folder of external values contains a file that does not belong to any object.
    case unusedFile
    /// A transaction is missing from the persistent history of the store.
    case historyGap
    /// The store's file is damaged.
    case brokenFile
    /// The entity of a row is not in the model, or the rows of this entity belong in another table.
    case unknownEntity
    /// The next new object would receive an id that is already in use.
    case keysInUse
    /// An object violates a rule of the application.
    case ruleViolation
  }

  /// The kind of problem.
  public var kind: Kind
  /// The name of the entity; nil if the problem does not concern one entity.
  public var entityName: String?
  /// The name of the property, or the names of a constraint's properties, separated by commas; nil
  /// if the problem does not concern one property or constraint.
  public var propertyName: String?
  /// The id of the object with the problem; nil if the problem does not concern one object.
  public var objectID: NSManagedObjectID?
  /// The id of the second object involved in the problem, such as the destination of a
  /// relationship; nil if the problem concerns only one object. The object need not exist.
  public var relatedID: NSManagedObjectID?
  /// A sentence that describes the finding.
  public var message: String

  /// Creates a finding.
  ///
  /// - Parameters:
  ///   - kind: The kind of problem.
  ///   - entityName: The name of the entity; nil if the problem does not concern one entity.
  ///   - propertyName: The name of the property, or the names of a constraint's properties,
  ///     separated by commas; nil if the problem does not concern one property or constraint.
  ///   - objectID: The id of the object with the problem; nil if the problem does not concern one
  ///     object.
  ///   - relatedID: The id of the second object involved in the problem, such as the destination of
  ///     a relationship; nil if the problem concerns only one object. The object need not exist.
  ///   - message: A sentence that describes the finding.
  public init(
    _ kind: Kind, entityName: String? = nil, propertyName: String? = nil,
    objectID: NSManagedObjectID? = nil, relatedID: NSManagedObjectID? = nil, message: String
  ) {
    self.kind = kind
    self.entityName = entityName
    self.propertyName = propertyName
    self.objectID = objectID
    self.relatedID = relatedID
    self.message = message
  }

  /// One line with the id of the object, the name of the property, and the ``message``. If the id
  /// is nil, the line contains the name of the entity instead. The line omits values that are nil.
  public var description: String {
    let place = objectID?.uriRepresentation().absoluteString ?? entityName
    let parts = [place, propertyName].compactMap { $0 }
    return parts.isEmpty ? message : parts.joined(separator: " ") + ": " + message
  }
}
