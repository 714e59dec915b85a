internal import Foundation

/// Members of values that stores keep separately: raw values of enumerations, and elements of
/// composite attributes.
enum ValueMembers {
  /// Returns whether a key path is the raw value of its root, which is the value in stores.
  ///
  /// Only enumerations that list their cases are recognized, by the raw value of each case.
  static func isRawValue(_ keyPath: AnyKeyPath) -> Bool {
    guard let type = type(of: keyPath).rootType as? any (RawRepresentable & CaseIterable).Type,
      isStoredAsRawValue(type)
    else {
      return false
    }
    return isRawValue(keyPath, of: type)
  }

  private static func isRawValue<Raw: RawRepresentable & CaseIterable>(
    _ keyPath: AnyKeyPath, of type: Raw.Type
  ) -> Bool {
    guard let keyPath = keyPath as? KeyPath<Raw, Raw.RawValue> else { return false }
    return !Raw.allCases.isEmpty
      && Raw.allCases.allSatisfy { isSame($0[keyPath: keyPath], $0.rawValue) }
  }

  private static func isSame<Content>(_ one: Content, _ other: Content) -> Bool {
    guard let one = Value(any: one), let other = Value(any: other) else { return false }
    return one == other
  }

  /// Returns the name of a stored property of a structure; nil for any other key path.
  ///
  /// The descriptions of key paths of structures contain the names of their stored properties.
  static func name(of keyPath: AnyKeyPath) -> String? {
    let type = type(of: keyPath).rootType
    guard !(type is AnyClass), !isAttribute(type) else { return nil }
    let text = keyPath.debugDescription
    guard let dot = text.lastIndex(of: ".") else { return nil }
    let name = text[text.index(after: dot)...]
    let isName = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isName && !name.isEmpty && !text.contains("<computed") ? String(name) : nil
  }

  /// Returns whether a type is a structure or an enumeration, for which a store contains only the
  /// members.
  static func isStructure(_ type: Any.Type) -> Bool {
    if let optional = type as? any OptionalWrapping.Type {
      return isStructure(optional.wrappedType)
    }
    return !isAttribute(type) && !(type is AnyClass) && !isStoredAsRawValue(type)
      && !(type is any Numeric.Type) && !KeyPathNames.areKnown(of: type)
  }

  /// Returns whether a store contains the raw values of a type, as for an enumeration.
  private static func isStoredAsRawValue(_ type: Any.Type) -> Bool {
    type is any RawRepresentable.Type && !KeyPathNames.areMembersStored(of: type)
  }

  /// Returns whether a property is the identifier of its object.
  ///
  /// An identifier is one value, even if a higher layer gives it a type with members.
  static func isIdentifier(_ type: Any.Type, named name: String?) -> Bool {
    guard name == "objectID" || name == "self" else { return false }
    let wrapped = (type as? any OptionalWrapping.Type)?.wrappedType
    return (wrapped ?? type) is any ObjectIdentifying.Type
  }

  /// Returns whether values of a type are the members of a to-many relationship.
  static func isToMany(_ type: Any.Type) -> Bool {
    if let optional = type as? any OptionalWrapping.Type { return isToMany(optional.wrappedType) }
    guard let collection = type as? any Collection.Type else { return false }
    return holdsObjects(collection)
  }

  private static func holdsObjects<Members: Collection>(_ type: Members.Type) -> Bool {
    KeyPathNames.areKnown(of: Members.Element.self)
  }

  /// Returns whether values of a type are collections, which stores encode inside a structure.
  static func isCollection(_ type: Any.Type) -> Bool {
    if let optional = type as? any OptionalWrapping.Type {
      return isCollection(optional.wrappedType)
    }
    return type is any Collection.Type && !(type is any StringProtocol.Type) && type != Data.self
  }

  /// Returns whether values of a type are single values of a store, without members.
  private static func isAttribute(_ type: Any.Type) -> Bool {
    // Ranges of integers are collections, but stores contain their bounds.
    let isCollection = type is any Collection.Type && !(type is any RangeExpression.Type)
    return isScalar(type) || isCollection || type is any OptionalWrapping.Type
  }

  /// Returns whether a type is a scalar or an optional scalar, which stores do not encode as text.
  static func isScalar(_ type: Any.Type) -> Bool {
    let wrapped = (type as? any OptionalWrapping.Type)?.wrappedType ?? type
    let types: [Any.Type] = [
      String.self, Substring.self, Date.self, UUID.self, URL.self, Data.self, Decimal.self,
      Bool.self, Int.self, Int64.self, Int32.self, Int16.self, Double.self, Float.self,
    ]
    return types.contains { $0 == wrapped }
  }
}

extension PredicateFormatError {
  /// Creates the error for a key path with a property that no store contains.
  static func notStored(_ keyPath: AnyKeyPath) -> PredicateFormatError {
    PredicateFormatError(
      code: .invalidKeyPath,
      message:
        "The key path \(keyPath) does not refer to a stored property. Use stored properties, not computed or transient properties."
    )
  }
}
