internal import Foundation
public import OpenObjectGraph

/// One violation of the model in a store.
///
/// > Concurrency: A value.
public struct IntegrityFinding: Sendable, Hashable, CustomStringConvertible {
  /// The problem.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A relationship refers to an object that does not exist.
    case danglingReference
    /// A relationship refers to an object of an entity that it cannot have.
    case wrongEntity
    /// An object refers to another one that does not refer back.
    case oneSidedInverse
    /// A required property has no value.
    case missingValue
    /// Objects have the same values under a uniqueness constraint.
    case duplicateValues
    /// The store contains a pair of a to-many relationship with a deleted object.
    case orphanedJoinRow
    /// The file of a value is missing.
    case missingFile
    /// A file in the store's folder of values belongs to no object.
    case unusedFile
    /// A transaction is missing in the history of the store.
    case historyGap
    /// The store's file is broken.
    case brokenFile
    /// A row is of an entity that the model does not have.
    case unknownEntity
    /// New objects would get ids that are in use.
    case keysInUse
    /// An object breaks a rule of the application.
    case ruleViolation
  }

  /// The problem.
  public var kind: Kind
  /// The entity; nil if the finding concerns the whole file.
  public var entityName: String?
  /// The property, or those of a constraint separated by commas; nil if the finding concerns whole objects.
  public var propertyName: String?
  /// The object; nil if the finding concerns no single object.
  public var objectID: NSManagedObjectID?
  /// The other object, which may not exist.
  public var relatedID: NSManagedObjectID?
  /// A sentence that describes the finding.
  public var message: String

  /// Creates a finding.
  ///
  /// - Parameters:
  ///   - kind: The kind of finding.
  ///   - entityName: The entity.
  ///   - propertyName: The property.
  ///   - objectID: The object.
  ///   - relatedID: The other object.
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

  /// The finding as a line: object or entity, property, sentence.
  public var description: String {
    let place = objectID?.uriRepresentation().absoluteString ?? entityName
    let parts = [place, propertyName].compactMap { $0 }
    return parts.isEmpty ? message : parts.joined(separator: " ") + ": " + message
  }
}
