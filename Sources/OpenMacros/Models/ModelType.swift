import SwiftSyntax

extension TypeSyntax {
  /// Whether a stored variable of the type, as it is spelled, starts as nil without an initial
  /// value.
  var startsAsNil: Bool {
    `is`(OptionalTypeSyntax.self) || `is`(ImplicitlyUnwrappedOptionalTypeSyntax.self)
  }

  /// The wrapped type of an optional, for any spelling of the optional; nil for other types.
  var wrapped: TypeSyntax? {
    if let optional = `as`(OptionalTypeSyntax.self) { return optional.wrappedType }
    if let optional = `as`(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return optional.wrappedType
    }
    if let tuple = `as`(TupleTypeSyntax.self), tuple.elements.count == 1 {
      return tuple.elements.first?.type.wrapped
    }
    return argument(of: "Optional")
  }

  /// The type of the elements of an array, optional or not; nil for other types.
  var arrayElement: TypeSyntax? {
    let type = wrapped ?? self
    return type.as(ArrayTypeSyntax.self)?.element ?? type.argument(of: "Array")
  }

  /// The type of the elements of a set, optional or not; nil for other types.
  var setElement: TypeSyntax? { (wrapped ?? self).argument(of: "Set") }

  /// The type as a cast can name it.
  var withoutImplicitUnwrapping: String {
    guard let type = `as`(ImplicitlyUnwrappedOptionalTypeSyntax.self) else {
      return trimmedDescription
    }
    return "\(type.wrappedType.trimmed)?"
  }

  /// Whether the type, as spelled, cannot be the type of a relationship.
  var isObviouslyNoModel: Bool {
    let type = arrayElement ?? wrapped ?? self
    if type.is(DictionaryTypeSyntax.self) || type.is(FunctionTypeSyntax.self) { return true }
    if let tuple = type.as(TupleTypeSyntax.self) { return tuple.elements.count != 1 }
    guard let name = type.as(IdentifierTypeSyntax.self)?.name.plainName else { return false }
    return Self.valueTypes.contains(name)
  }

  private static var valueTypes: Set<String> {
    [
      "Any", "AnyObject", "Bool", "Data", "Date", "Decimal", "Dictionary", "Double",
      "Float", "Int", "Int8", "Int16", "Int32", "Int64", "String", "UInt", "UInt8", "UInt16",
      "UInt32", "UInt64", "URL", "UUID",
    ]
  }

  /// The only argument of a generic type of that name in the standard library.
  private func argument(of name: String) -> TypeSyntax? {
    let (found, arguments): (String?, GenericArgumentClauseSyntax?)
    if let plain = `as`(IdentifierTypeSyntax.self) {
      (found, arguments) = (plain.name.plainName, plain.genericArgumentClause)
    } else if let member = `as`(MemberTypeSyntax.self),
      member.baseType.trimmedDescription == "Swift"
    {
      (found, arguments) = (member.name.plainName, member.genericArgumentClause)
    } else {
      return nil
    }
    guard found == name, let arguments, arguments.arguments.count == 1,
      case .type(let type)? = arguments.arguments.first?.argument
    else { return nil }
    return type
  }
}

extension String {
  /// The name as an expression can use it.
  var asIdentifier: String { TokenSyntax.identifier(self).quotedName.escapedUnlessIdentifier }

  /// The name in backticks if it has characters that identifiers lack.
  var escapedUnlessIdentifier: String {
    isIdentifier || hasPrefix("`") ? self : "`\(self)`"
  }
}
