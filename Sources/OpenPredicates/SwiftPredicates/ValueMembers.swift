internal import Foundation

/// Members of values that stores keep apart: the raw value of an enumeration, the elements of a composite attribute.
enum ValueMembers {
  /// Whether a key path is the raw value of its root, which is what stores have of it.
  ///
  /// It is recognized for enumerations that list their cases: it gives the raw value of each of them.
  static func isRawValue(_ keyPath: AnyKeyPath) -> Bool {
    guard let type = type(of: keyPath).rootType as? any (RawRepresentable & CaseIterable).Type
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

  /// The name of a stored property of a structure; nil for anything else.
  ///
  /// Key paths of structures are described by the names of their stored properties.
  static func name(of keyPath: AnyKeyPath) -> String? {
    let type = type(of: keyPath).rootType
    guard !(type is AnyClass), !isAttribute(type) else { return nil }
    let text = keyPath.debugDescription
    guard let dot = text.lastIndex(of: ".") else { return nil }
    let name = text[text.index(after: dot)...]
    let isName = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isName && !name.isEmpty && !text.contains("<computed") ? String(name) : nil
  }

  /// Whether a type is a structure or an enumeration; a store has only the members of these.
  static func isStructure(_ type: Any.Type) -> Bool {
    if let optional = type as? any OptionalWrapping.Type {
      return isStructure(optional.wrappedType)
    }
    return !isAttribute(type) && !(type is AnyClass) && !(type is any RawRepresentable.Type)
      && !(type is any Numeric.Type) && !KeyPathNames.areKnown(of: type)
  }

  /// Whether values of a type are collections, which stores keep encoded in a structure.
  static func isCollection(_ type: Any.Type) -> Bool {
    if let optional = type as? any OptionalWrapping.Type {
      return isCollection(optional.wrappedType)
    }
    return type is any Collection.Type && !(type is any StringProtocol.Type) && type != Data.self
  }

  /// Whether values of a type are one value of a store, whose members no store knows.
  private static func isAttribute(_ type: Any.Type) -> Bool {
    let types: [Any.Type] = [
      String.self, Substring.self, Date.self, UUID.self, URL.self, Data.self, Decimal.self,
      Bool.self, Int.self, Int64.self, Int32.self, Int16.self, Double.self, Float.self,
    ]
    return types.contains { $0 == type } || type is any Collection.Type
      || type is any OptionalWrapping.Type
  }
}

extension PredicateFormatError {
  /// The error of a key path that leads over a property that no store has.
  static func notStored(_ keyPath: AnyKeyPath) -> PredicateFormatError {
    PredicateFormatError(
      code: .invalidKeyPath,
      message:
        "The key path \(keyPath) is not a stored property. Use properties that the model stores, not computed or transient ones."
    )
  }
}
