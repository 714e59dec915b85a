public import Foundation
public import OpenPredicates

/// A property of a ``CompiledEntity``.
public final class CompiledProperty: Sendable {
  public let name: String
  /// The position of the property in ``CompiledEntity/properties``.
  public let ordinal: Int
  public let isOptional: Bool
  public let isTransient: Bool
  /// The slot of the property's column; nil for a property without a column, such as a to-many
  /// relationship or a transient property.
  public let slot: Int?
  /// The byte offset of the column in a packed row; 0 if the property has no column.
  public let byteOffset: Int
  /// The position, in the model, of the entity that declares the property.
  public let declaringEntityIndex: Int
  /// Whether the property is an element of a composite attribute.
  ///
  /// The name of an element is a path, such as `origin.place`.
  public let isElement: Bool
  /// The ordinals of the elements of the innermost optional composite attribute that contains the
  /// element; nil for an element that no optional composite attribute contains, and for a property
  /// that is not an element.
  ///
  /// A required element must have a value only if one of these elements has a value.
  package let optionalGroup: Range<Int>?
  /// Whether a full-text search of the whole object (`SELF CONTAINSWORDS`) includes the property.
  ///
  /// Such a search includes the stored string attributes with `isIndexedBySpotlight`, except
  /// derived attributes.
  public let isSearched: Bool
  /// The lengths, in characters, of the word prefixes that the text index contains in addition to
  /// whole words, in ascending order; empty if the index contains only whole words.
  public let textPrefixLengths: [Int]
  public let kind: Kind

  /// The kind of a property: an attribute or a relationship.
  public enum Kind: Sendable {
    /// An attribute, with the settings that only attributes have.
    case attribute(CompiledAttribute)
    /// A relationship, with the settings that only relationships have.
    case relationship(CompiledRelationship)

    /// Whether stores compute the values of the property.
    var isDerived: Bool {
      guard case .attribute(let attribute) = self else { return false }
      return attribute.derivation != nil
    }

    /// Whether the property is a string attribute that programs set.
    var isTextOfPrograms: Bool {
      guard case .attribute(let attribute) = self else { return false }
      return attribute.type == .string && attribute.derivation == nil
    }
  }

  init(
    name: String, ordinal: Int, isOptional: Bool, isTransient: Bool, slot: Int?, byteOffset: Int,
    declaringEntityIndex: Int, isElement: Bool, optionalGroup: Range<Int>?,
    isSearched: Bool, textPrefixLengths: [Int], kind: Kind
  ) {
    self.name = name
    self.ordinal = ordinal
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.slot = slot
    self.byteOffset = byteOffset
    self.declaringEntityIndex = declaringEntityIndex
    self.isElement = isElement
    self.optionalGroup = optionalGroup
    self.isSearched = isSearched
    self.textPrefixLengths = textPrefixLengths
    self.kind = kind
  }

  /// The settings that only attributes have; nil if the property is a relationship.
  @inline(__always)
  public var attribute: CompiledAttribute? {
    if case .attribute(let attribute) = kind { return attribute }
    return nil
  }

  /// The settings that only relationships have; nil if the property is an attribute.
  @inline(__always)
  public var relationship: CompiledRelationship? {
    if case .relationship(let relationship) = kind { return relationship }
    return nil
  }
}

extension CompiledProperty {
  /// The conditions that a value of the property must satisfy when an object is saved.
  public var validations: [CompiledValidation] {
    switch kind {
    case .attribute(let attribute): attribute.validations
    case .relationship(let relationship): relationship.validations
    }
  }
}

/// The settings of a compiled property that only attributes have.
///
/// The type is a class, so reading ``CompiledProperty/attribute`` copies only a reference.
public final class CompiledAttribute: Sendable {
  public let type: AttributeType
  public let defaultValue: Value
  public let valueClassName: String?
  public let transformerName: String?
  public let allowsExternalStorage: Bool
  public let validations: [CompiledValidation]
  /// Whether persistent history preserves the attribute's value when an object is deleted.
  public let preservesValueInHistory: Bool
  /// The rule by which stores compute the attribute's value; nil if the attribute is not derived.
  public let derivation: Derivation?
  /// The ordinals of the elements of a composite attribute; empty for any other attribute.
  public let elements: [Int]

  init(
    type: AttributeType, defaultValue: Value, valueClassName: String?, transformerName: String?,
    allowsExternalStorage: Bool, validations: [CompiledValidation], preservesValueInHistory: Bool,
    derivation: Derivation?, elements: [Int]
  ) {
    self.type = type
    self.defaultValue = defaultValue
    self.valueClassName = valueClassName
    self.transformerName = transformerName
    self.allowsExternalStorage = allowsExternalStorage
    self.validations = validations
    self.preservesValueInHistory = preservesValueInHistory
    self.derivation = derivation
    self.elements = elements
  }
}

/// The settings of a compiled property that only relationships have.
///
/// The type is a class, so reading ``CompiledProperty/relationship`` copies only a reference.
// Invariant of the unchecked conformance: `connected` is set once, before the model becomes
// accessible, and the model is never released.
public final class CompiledRelationship: @unchecked Sendable {
  /// The position of the destination entity in the model.
  public let destinationIndex: Int
  /// The ordinal of the inverse relationship in the destination entity; nil if there is no inverse.
  public let inverseOrdinal: Int?
  public let isToMany: Bool
  public let isOrdered: Bool
  public let deleteRule: DeleteRule
  public let minCount: Int
  /// The maximum number of destinations; 0 for no limit.
  public let maxCount: Int
  /// The slot of the entity discriminator; nil for a to-many relationship, or if the destination
  /// entity has no subentities.
  ///
  /// The entity discriminator is the `Z_ENT` of the destination object's actual entity.
  public let discriminatorSlot: Int?
  @exclusivity(unchecked) private unowned(unsafe) var connected: CompiledEntity?
  public let validations: [CompiledValidation]

  init(
    destinationIndex: Int, inverseOrdinal: Int?, isToMany: Bool, isOrdered: Bool,
    deleteRule: DeleteRule, minCount: Int, maxCount: Int, discriminatorSlot: Int?,
    validations: [CompiledValidation]
  ) {
    self.destinationIndex = destinationIndex
    self.inverseOrdinal = inverseOrdinal
    self.isToMany = isToMany
    self.isOrdered = isOrdered
    self.deleteRule = deleteRule
    self.minCount = minCount
    self.maxCount = maxCount
    self.discriminatorSlot = discriminatorSlot
    self.validations = validations
  }

  func connect(to destination: CompiledEntity) { connected = destination }

  /// The destination entity.
  public var destination: CompiledEntity {
    guard let connected else {
      preconditionFailure("The relationship was used before its compiled model was complete.")
    }
    return connected
  }
}

/// A condition that a property's value must satisfy when an object is saved.
// Invariant of the unchecked conformance: the predicate is immutable, and evaluating it changes
// nothing.
public struct CompiledValidation: @unchecked Sendable {
  /// The condition, in which `SELF` refers to the value of the property.
  public let predicate: NSPredicate
  /// The message of the validation error; nil if the model contains no message for the condition.
  public let warning: String?
  /// The `NSError` code of the validation error.
  public let code: Int

  init(predicate: NSPredicate, warning: String?, code: Int) {
    self.predicate = predicate
    self.warning = warning
    self.code = code
  }

  /// Returns whether the given value satisfies the condition.
  public func accepts(_ value: Any) -> Bool { predicate.evaluate(with: value) }
}
