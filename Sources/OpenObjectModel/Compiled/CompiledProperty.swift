public import Foundation
public import OpenPredicates

/// A property of a ``CompiledEntity``.
public final class CompiledProperty: Sendable {
  public let name: String
  /// The position in the entity.
  public let ordinal: Int
  public let isOptional: Bool
  public let isTransient: Bool
  /// The slot of the property's column; nil for to-many relationships and transient properties.
  public let slot: Int?
  /// The byte offset of the column in a packed row; 0 without a column.
  public let byteOffset: Int
  /// The entity that declares the property, as a position in the model.
  public let declaringEntityIndex: Int
  /// Whether the property is an element of a composite attribute; its name is then a path, such as
  /// `origin.place`.
  public let isElement: Bool
  /// Whether full-text searches of the whole object include the property.
  ///
  /// Full-text searches include stored string attributes with `isIndexedBySpotlight`, except
  /// derived attributes.
  public let isSearched: Bool
  /// The lengths in characters of the word prefixes that a text index contains, in ascending order.
  public let textPrefixLengths: [Int]
  public let kind: Kind

  /// An attribute or a relationship.
  public enum Kind: Sendable {
    case attribute(CompiledAttribute)
    case relationship(CompiledRelationship)

    /// Whether the property is a string attribute that programs set.
    var isTextOfPrograms: Bool {
      guard case .attribute(let attribute) = self else { return false }
      return attribute.type == .string && attribute.derivation == nil
    }
  }

  init(
    name: String, ordinal: Int, isOptional: Bool, isTransient: Bool, slot: Int?, byteOffset: Int,
    declaringEntityIndex: Int, isElement: Bool, isSearched: Bool, textPrefixLengths: [Int],
    kind: Kind
  ) {
    self.name = name
    self.ordinal = ordinal
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.slot = slot
    self.byteOffset = byteOffset
    self.declaringEntityIndex = declaringEntityIndex
    self.isElement = isElement
    self.isSearched = isSearched
    self.textPrefixLengths = textPrefixLengths
    self.kind = kind
  }

  /// The attribute-specific part; nil for a relationship.
  @inline(__always)
  public var attribute: CompiledAttribute? {
    if case .attribute(let attribute) = kind { return attribute }
    return nil
  }

  /// The relationship-specific part; nil for an attribute.
  @inline(__always)
  public var relationship: CompiledRelationship? {
    if case .relationship(let relationship) = kind { return relationship }
    return nil
  }
}

extension CompiledProperty {
  /// The conditions on the property's value.
  public var validations: [CompiledValidation] {
    switch kind {
    case .attribute(let attribute): attribute.validations
    case .relationship(let relationship): relationship.validations
    }
  }
}

/// The attribute-specific part of a compiled property.
///
/// This type is a class, so that reading the part copies nothing.
public final class CompiledAttribute: Sendable {
  public let type: AttributeType
  public let defaultValue: Value
  public let valueClassName: String?
  public let transformerName: String?
  public let allowsExternalStorage: Bool
  public let validations: [CompiledValidation]
  /// Whether the history preserves the value of a deleted object.
  public let preservesValueInHistory: Bool
  /// The derivation of the value; nil for an attribute that programs set.
  public let derivation: Derivation?
  /// The ordinals of the elements of a composite attribute.
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

/// The relationship-specific part of a compiled property.
///
/// This type is a class, so that reading the part copies nothing.
// Invariant of the unchecked conformance: `connected` is set once, before the model becomes
// accessible, and the model is never released.
public final class CompiledRelationship: @unchecked Sendable {
  /// The destination entity, as a position in the model.
  public let destinationIndex: Int
  /// The ordinal of the inverse relationship in the destination entity; nil if there is none.
  public let inverseOrdinal: Int?
  public let isToMany: Bool
  public let isOrdered: Bool
  public let deleteRule: DeleteRule
  public let minCount: Int
  /// The maximum number of destinations; 0 for no limit.
  public let maxCount: Int
  /// The slot of the entity discriminator, the destination's actual `Z_ENT`; nil if the destination
  /// entity has no subentities.
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
      preconditionFailure("A relationship is handed out only by the model that it belongs to.")
    }
    return connected
  }
}

/// A condition that a property's value must satisfy to be saved.
// Invariant of the unchecked conformance: the predicate is immutable, and evaluating it changes nothing.
public struct CompiledValidation: @unchecked Sendable {
  /// The condition, in which `SELF` is the value.
  public let predicate: NSPredicate
  /// The message for a value that does not satisfy the condition; nil if the error code is
  /// sufficient.
  public let warning: String?
  /// The validation error code for a value that does not satisfy the condition, as in `NSError`.
  public let code: Int

  init(predicate: NSPredicate, warning: String?, code: Int) {
    self.predicate = predicate
    self.warning = warning
    self.code = code
  }

  /// Returns whether a value satisfies the condition.
  public func accepts(_ value: Any) -> Bool { predicate.evaluate(with: value) }
}
