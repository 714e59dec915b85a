internal import Foundation
public import OpenObjectGraph

/// A violation of the model that was found in a store.
///
/// > Concurrency: A value.
public struct IntegrityFinding: Sendable, Hashable, CustomStringConvertible {
  /// The kinds of violation.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A relationship refers to an object that does not exist.
    case danglingReference
    /// A relationship refers to an object of an entity that the relationship does not allow.
    case wrongEntity
    /// An object refers to another object that does not refer back.
    case oneSidedInverse
    /// A required property has no value.
    case missingValue
    /// Objects have the same values under a uniqueness constraint.
    case duplicateValues
    /// The store contains a join row for a deleted object.
    case orphanedJoinRow
    /// The file of an external value is missing.
    case missingFile
    /// A file in the folder of external values belongs to no object.
    case unusedFile
    /// A transaction is missing in the persistent history of the store.
    case historyGap
    /// The store's file is damaged.
    case brokenFile
    /// A row belongs to an entity that the model does not contain.
    case unknownEntity
    /// New objects would receive ids that are already in use.
    case keysInUse
    /// An object violates a rule of the application.
    case ruleViolation
  }

  /// The kind of violation.
  public var kind: Kind
  /// The name of the entity; nil if the finding concerns the whole file.
  public var entityName: String?
  /// The name of the property, or the names of a constraint's properties separated by commas.
  ///
  /// The value is nil if the finding concerns whole objects.
  public var propertyName: String?
  /// The id of the object; nil if the finding concerns no single object.
  public var objectID: NSManagedObjectID?
  /// The id of the other object, which may not exist.
  public var relatedID: NSManagedObjectID?
  /// A sentence that describes the finding.
  public var message: String

  /// Creates a finding.
  ///
  /// - Parameters:
  ///   - kind: The kind of violation.
  ///   - entityName: The name of the entity.
  ///   - propertyName: The name of the property.
  ///   - objectID: The id of the object.
  ///   - relatedID: The id of the other object.
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

  /// A line with the object or entity, the property, and the sentence.
  public var description: String {
    let place = objectID?.uriRepresentation().absoluteString ?? entityName
    let parts = [place, propertyName].compactMap { $0 }
    return parts.isEmpty ? message : parts.joined(separator: " ") + ": " + message
  }
}
