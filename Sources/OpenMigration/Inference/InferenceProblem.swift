public import Foundation

/// A change between two models that prevents the inference of a mapping, together with a remedy.
///
/// This is an addition to Apple's API.
public struct InferenceProblem: Sendable, Hashable, CustomStringConvertible {
  /// The kind of change, as a number that is the same in all versions of the library.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The number that identifies the kind of change.
    public let rawValue: Int

    /// Creates a code from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The type of an attribute differs between the two models.
    public static let attributeType = Code(rawValue: 1)
    /// An optional attribute is now required and has no default value.
    public static let requiredAttribute = Code(rawValue: 2)
    /// A new attribute is required and has no default value.
    public static let addedRequiredAttribute = Code(rawValue: 3)
    /// A to-many relationship is now to-one.
    public static let toManyToOne = Code(rawValue: 4)
    /// The destination entity of a relationship changed, and existing destinations may not be
    /// objects of the new destination entity.
    public static let destination = Code(rawValue: 5)
    /// An optional relationship is now required.
    public static let requiredRelationship = Code(rawValue: 6)
    /// A new relationship is required.
    public static let addedRequiredRelationship = Code(rawValue: 7)
    /// An attribute is now a relationship, or vice versa.
    public static let kind = Code(rawValue: 8)
    /// Entities from different hierarchies now have a common ancestor.
    public static let mergedHierarchies = Code(rawValue: 9)
    /// An entity is abstract in the destination model but not in the source model.
    public static let abstractEntity = Code(rawValue: 10)
    /// Several entities, or several properties, of the destination model have renaming identifiers
    /// that refer to the same source.
    public static let ambiguousSource = Code(rawValue: 11)
    /// The type of an element of a composite attribute differs between the two models.
    public static let compositeElements = Code(rawValue: 12)
  }

  /// The kind of change.
  public let code: Code
  /// The name of the entity in the destination model.
  public let entityName: String
  /// The name of the property in the destination model; nil if the change concerns the entity
  /// itself. For an element of a composite attribute, the value is the path of the element, such as
  /// `address.city`.
  public let propertyName: String?
  /// A sentence that describes the change.
  public let change: String
  /// A sentence that describes the remedy.
  public let advice: String

  init(
    _ code: Code, _ entityName: String, _ propertyName: String? = nil, _ change: String,
    _ advice: String
  ) {
    self.code = code
    self.entityName = entityName
    self.propertyName = propertyName
    self.change = change
    self.advice = advice
  }

  /// Whether migrated objects would have no value for a required attribute.
  var isOfAttribute: Bool { code == .requiredAttribute || code == .addedRequiredAttribute }

  /// Whether migrated objects would have no value for a required property.
  var isMissingValue: Bool {
    isOfAttribute || code == .requiredRelationship || code == .addedRequiredRelationship
  }

  /// A string with the names of the entity and the property, the change and the remedy.
  public var description: String {
    let place = [entityName, propertyName].compactMap { $0 }.joined(separator: ".")
    return "\(place): \(change) \(advice)"
  }
}

/// An error that lists every change that prevents the inference of a mapping between two models.
///
/// Methods that infer a mapping throw `CocoaError` 134190, which contains this error under
/// `NSUnderlyingErrorKey`. If a store is migrated automatically when it is added, error 134190 is
/// the underlying error of the thrown error.
///
/// This is an addition to Apple's API.
public struct InferenceError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// The changes that prevent the inference, sorted by entity name and property name.
  public let problems: [InferenceProblem]

  /// The first change other than a missing value of a required property; the first change if there
  /// are only such changes.
  var foremost: InferenceProblem? { problems.first { !$0.isMissingValue } ?? problems.first }

  /// The text of `localizedDescription`, which equals ``description``.
  public var errorDescription: String? { description }

  /// A string with one line for each change.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}
