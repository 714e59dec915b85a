public import Foundation

/// An error that prevents reading, using or writing a model.
///
/// The message describes the problem and a solution.
public struct ModelError: LocalizedError, Sendable, CustomStringConvertible {
  /// A number that identifies the kind of error; see `Docs/Errors.md`.
  ///
  /// The numbers are the same in all versions of the library.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The number that identifies the kind of error.
    public let rawValue: Int

    /// Creates a code from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// An entity, a property or another named element has no name.
    public static let missingName = Code(rawValue: 1)
    /// Two entities, properties, elements of a composite attribute, or fetch indexes have the same
    /// name. Names of entities and fetch indexes are compared ignoring case.
    ///
    /// The error has the same code in the following cases:
    /// - An entity lists a subentity or a uniqueness constraint twice.
    /// - A uniqueness constraint lists a property twice.
    /// - A fetch index has the name of a constraint's index.
    /// - An element of a composite attribute has no name.
    public static let duplicateName = Code(rawValue: 2)
    /// The model refers to an entity that the model does not contain, such as a superentity or a
    /// destination.
    public static let unknownEntity = Code(rawValue: 3)
    /// An entity is its own ancestor.
    public static let cyclicParents = Code(rawValue: 4)
    /// The inverse of a relationship does not refer back to the relationship.
    public static let danglingInverse = Code(rawValue: 5)
    /// A stored attribute has no type.
    public static let undefinedType = Code(rawValue: 6)
    /// A model document names a type that does not exist.
    public static let unknownType = Code(rawValue: 7)
    /// A model file cannot be read, or a folder of model versions does not specify which version is
    /// the current version.
    public static let unreadable = Code(rawValue: 8)
    /// The file of a model or mapping model is damaged or has a different format.
    public static let malformed = Code(rawValue: 9)
    /// An index, a constraint or a mapping names a property that the entity does not have.
    public static let unknownProperty = Code(rawValue: 10)
    /// A default value does not have the attribute's type, is out of range for this type, or cannot
    /// be archived.
    public static let mismatchedDefault = Code(rawValue: 11)
    /// A property description belongs to two entities, or a subentity has two parents.
    public static let sharedDescription = Code(rawValue: 12)
    /// A stored attribute has a type that stores do not support, a composite attribute has no
    /// elements or too many levels, or stores cannot compute a derived attribute.
    public static let unsupportedType = Code(rawValue: 13)
    /// The model has content that the requested file format cannot contain.
    public static let unarchivable = Code(rawValue: 14)
    /// The file of a model cannot be written, or its name or file extension is not valid.
    public static let unwritable = Code(rawValue: 15)
    /// The program contains several classes with the class name of an entity.
    public static let ambiguousClass = Code(rawValue: 16)
    /// The user info of an attribute contains prefix lengths that a text index does not support.
    public static let unusablePrefixLengths = Code(rawValue: 17)
  }

  /// The kind of error.
  public var code: Code
  /// A description of the problem and a solution.
  public var message: String
  /// The name of the entity that the error concerns; nil if the error does not concern an entity.
  public var entityName: String?
  /// The name of the property that the error concerns; nil if the error does not concern a
  /// property.
  public var propertyName: String?
  /// The path of the file or folder that the error concerns; nil if the error does not concern a
  /// file.
  public var path: String?
  /// The line of the problem in the model document, starting at 1; nil if unknown.
  public var line: Int?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The kind of error.
  ///   - message: A description of the problem and a solution.
  ///   - entityName: The name of the entity that the error concerns; nil for no entity.
  ///   - propertyName: The name of the property that the error concerns; nil for no property.
  ///   - path: The path of the file that the error concerns; nil for no file.
  ///   - line: The line of the problem in the model document, starting at 1; nil if unknown.
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

  /// The message, followed by the entity, the property, the path and the line, if known.
  public var description: String {
    var parts = [message]
    if let entityName { parts.append("Entity: \(entityName).") }
    if let propertyName { parts.append("Property: \(propertyName).") }
    if let path { parts.append("File: \(path)" + (line.map { ", line \($0)." } ?? ".")) }
    return parts.joined(separator: " ")
  }

  /// The text that `localizedDescription` returns; equal to ``description``.
  public var errorDescription: String? { description }
}
