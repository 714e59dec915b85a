public import Foundation
public import OpenPredicates

/// One property of a compiled entity.
public final class CompiledProperty: Sendable {
  public let name: String
  /// Position in the entity.
  public let ordinal: Int
  public let isOptional: Bool
  public let isTransient: Bool
  /// Position of its stored column; nil for to-many relationships and transient properties.
  public let slot: Int?
  /// Byte offset of the column in a packed row; 0 without column.
  public let byteOffset: Int
  /// Position of the entity that declares the property.
  public let declaringEntityIndex: Int
  /// Whether it is part of a composite attribute; its name is then the path to it, `origin.place`.
  public let isElement: Bool
  /// Whether full-text searches of the whole object include it: a stored, not derived string flagged with
  /// `isIndexedBySpotlight`.
  public let isSearched: Bool
  /// The lengths of prefixes that a text index also contains, ascending; empty unless the model requests prefixes.
  public let textPrefixLengths: [Int]
  public let kind: Kind

  /// The kind of property.
  public enum Kind: Sendable {
    case attribute(CompiledAttribute)
    case relationship(CompiledRelationship)

    /// Whether it is a text that programs set.
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

  /// The attribute, if it is one.
  @inline(__always)
  public var attribute: CompiledAttribute? {
    if case .attribute(let attribute) = kind { return attribute }
    return nil
  }

  /// The relationship, if it is one.
  @inline(__always)
  public var relationship: CompiledRelationship? {
    if case .relationship(let relationship) = kind { return relationship }
    return nil
  }
}

extension CompiledProperty {
  /// The conditions on its value.
  public var validations: [CompiledValidation] {
    switch kind {
    case .attribute(let attribute): attribute.validations
    case .relationship(let relationship): relationship.validations
    }
  }
}

/// The attribute-specific part of a compiled property; a class, so reading it copies nothing.
public final class CompiledAttribute: Sendable {
  public let type: AttributeType
  public let defaultValue: Value
  public let valueClassName: String?
  public let transformerName: String?
  public let allowsExternalStorage: Bool
  public let validations: [CompiledValidation]
  /// Whether history preserves the value of a deleted object.
  public let preservesValueInHistory: Bool
  /// How the store computes the value; nil for attributes that programs set.
  public let derivation: Derivation?
  /// Ordinals of the elements of a composite attribute.
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

/// What a compiled property knows as a relationship; a class, so that to look at it copies nothing.
// Invariant of the unchecked conformance: `connected` is set once, before the model is handed out, and the model is
// never released.
public final class CompiledRelationship: @unchecked Sendable {
  /// Position of the destination entity.
  public let destinationIndex: Int
  /// Ordinal of the inverse in the destination entity.
  public let inverseOrdinal: Int?
  public let isToMany: Bool
  public let isOrdered: Bool
  public let deleteRule: DeleteRule
  public let minCount: Int
  /// 0 for no limit.
  public let maxCount: Int
  /// The slot of the entity discriminator, the destination's actual `Z_ENT`, if the destination entity has sub-entities.
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
  /// The condition, with SELF standing for the value.
  public let predicate: NSPredicate
  /// The message for a value that does not satisfy the predicate; nil if the error code is sufficient.
  public let warning: String?
  /// Apple's validation error code.
  public let code: Int

  init(predicate: NSPredicate, warning: String?, code: Int) {
    self.predicate = predicate
    self.warning = warning
    self.code = code
  }

  /// Whether a value satisfies the condition.
  ///
  /// - Returns: `true` if a value satisfies the condition.
  public func accepts(_ value: Any) -> Bool { predicate.evaluate(with: value) }
}
