public import Foundation

/// An error that prevents reading, using or writing a model.
///
/// The message names the problem and the remedy.
public struct ModelError: LocalizedError, Sendable, CustomStringConvertible {
  /// A number that identifies the kind of error and never changes; see `Docs/Errors.md`.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// An entity, a property or another named element has no name.
    public static let missingName = Code(rawValue: 1)
    /// Two entities, properties or fetch indexes have the same name, or a constraint is repeated.
    public static let duplicateName = Code(rawValue: 2)
    /// A parent, destination or other named entity is not in the model.
    public static let unknownEntity = Code(rawValue: 3)
    /// An entity is its own ancestor.
    public static let cyclicParents = Code(rawValue: 4)
    /// The inverse of a relationship does not refer back to the relationship.
    public static let danglingInverse = Code(rawValue: 5)
    /// A stored attribute has no type.
    public static let undefinedType = Code(rawValue: 6)
    /// A model document names a type that does not exist.
    public static let unknownType = Code(rawValue: 7)
    /// A model file cannot be read, or a folder of versions does not name the current version.
    public static let unreadable = Code(rawValue: 8)
    /// The file of a model or mapping model is damaged or has another format.
    public static let malformed = Code(rawValue: 9)
    /// An index, a constraint or a mapping names a property that the entity does not have.
    public static let unknownProperty = Code(rawValue: 10)
    /// A default value does not have the attribute's type, is out of range for this type, or cannot be
    /// archived.
    public static let mismatchedDefault = Code(rawValue: 11)
    /// A property or subentity belongs to two entities.
    public static let sharedDescription = Code(rawValue: 12)
    /// A stored attribute has a type that cannot be stored.
    public static let unsupportedType = Code(rawValue: 13)
    /// The model has content that the format cannot contain.
    public static let unarchivable = Code(rawValue: 14)
    /// The file of a model cannot be written.
    public static let unwritable = Code(rawValue: 15)
    /// Several classes of the program have the name of an entity's class.
    public static let ambiguousClass = Code(rawValue: 16)
    /// The user info of an attribute contains prefix lengths that a text index does not support.
    public static let unusablePrefixLengths = Code(rawValue: 17)
  }

  public var code: Code
  /// The problem and its remedy.
  public var message: String
  public var entityName: String?
  public var propertyName: String?
  public var path: String?
  /// The line in the document, starting at 1.
  public var line: Int?

  public init(
    _ code: Code, _ message: String, entityName: String? = nil, propertyName: String? = nil,
    path: String? = nil, line: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.entityName = entityName
    self.propertyName = propertyName
    self.path = path
    self.line = line
  }

  public var description: String {
    var parts = [message]
    if let entityName { parts.append("Entity: \(entityName).") }
    if let propertyName { parts.append("Property: \(propertyName).") }
    if let path { parts.append("File: \(path)" + (line.map { ", line \($0)." } ?? ".")) }
    return parts.joined(separator: " ")
  }

  /// The text of `localizedDescription`, which equals `description`.
  public var errorDescription: String? { description }
}
