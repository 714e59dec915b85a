public import Foundation

/// A change between two models for which no mapping can be inferred, and what to do about it.
///
/// An addition to Apple's API.
public struct InferenceProblem: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a change; its numbers never change.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The stable number.
    public let rawValue: Int

    /// Creates a code from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// An attribute has another type.
    public static let attributeType = Code(rawValue: 1)
    /// An optional attribute becomes required and has no default value.
    public static let requiredAttribute = Code(rawValue: 2)
    /// A new attribute is required and has no default value.
    public static let addedRequiredAttribute = Code(rawValue: 3)
    /// A to-many relationship became to-one.
    public static let toManyToOne = Code(rawValue: 4)
    /// The destination entity of a relationship changes.
    public static let destination = Code(rawValue: 5)
    /// An optional relationship becomes required.
    public static let requiredRelationship = Code(rawValue: 6)
    /// A new relationship is required.
    public static let addedRequiredRelationship = Code(rawValue: 7)
    /// An attribute becomes a relationship, or vice versa.
    public static let kind = Code(rawValue: 8)
    /// Entities get a common ancestor.
    public static let mergedHierarchies = Code(rawValue: 9)
    /// An entity that may have objects becomes abstract.
    public static let abstractEntity = Code(rawValue: 10)
    /// Several destinations name the same source.
    public static let ambiguousSource = Code(rawValue: 11)
    /// Elements of a composite attribute have other types.
    public static let compositeElements = Code(rawValue: 12)
  }

  /// The kind of change.
  public let code: Code
  /// The entity, by its name in the destination model.
  public let entityName: String
  /// The property's name in the destination model; nil for the entity as a whole.
  public let propertyName: String?
  /// The change, as a sentence.
  public let change: String
  /// The remedy, as a sentence.
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

  /// Place, change and advice.
  public var description: String {
    let place = [entityName, propertyName].compactMap { $0 }.joined(separator: ".")
    return "\(place): \(change) \(advice)"
  }
}

/// The reason why no mapping between two models can be inferred: every change that prevents it.
///
/// An addition to Apple's API. It is the error under `NSUnderlyingErrorKey` of Apple's error 134190.
public struct InferenceError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// The changes, by entity and property.
  public let problems: [InferenceProblem]

  /// The sentence that `print` shows.
  public var errorDescription: String? { description }

  /// One line for each change.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}
