import SwiftSyntax

/// A to-many accessor with the macro `@ManagedAccessor`.
struct ManagedAccessor {
  /// The change that the accessor makes to the relationship, with the names of the accessor's
  /// parameters.
  enum Change {
    case add(String)
    case remove(String)
    case insert(String, at: String)
    case removeAt(String)
    case replace(at: String, with: String)
  }

  /// Whether a call changes one member or several members.
  enum Count: String {
    case one = "Member"
    case many = "Members"
  }

  /// The change that the accessor makes.
  let change: Change
  /// Whether the accessor changes one member or a collection of members.
  let count: Count
  /// The relationship's name in the model.
  let key: String

  /// Reads and checks a declaration.
  ///
  /// - Throws: `ManagedError` for the first error in the declaration.
  init(_ function: FunctionDeclSyntax, attribute: AttributeSyntax) throws(ManagedError) {
    try Self.check(function)
    let parameters = Array(function.signature.parameterClause.parameters)
    let labels = parameters.map(\.firstName.text)
    let names = try parameters.map { parameter throws(ManagedError) in try Self.name(of: parameter)
    }
    let name = function.name.plainName
    let derivedKey: String?
    switch labels {
    case ["_"] where name.hasPrefix("addTo"):
      (change, derivedKey) = (.add(names[0]), name.propertyName(after: "addTo"))
    case ["_"] where name.hasPrefix("removeFrom"):
      (change, derivedKey) = (.remove(names[0]), name.propertyName(after: "removeFrom"))
    case ["_", "at"] where name.hasPrefix("insertInto"):
      change = .insert(names[0], at: names[1])
      derivedKey = name.propertyName(after: "insertInto")
    case ["at"] where name.hasPrefix("removeFrom"):
      (change, derivedKey) = (.removeAt(names[0]), name.propertyName(after: "removeFrom"))
    case ["at", "with"] where name.hasPrefix("replace"):
      change = .replace(at: names[0], with: names[1])
      derivedKey = name.propertyName(after: "replace")
    default: throw ManagedError(.functionName, at: function.name)
    }
    guard let key = try attribute.nameArgument() ?? derivedKey else {
      throw ManagedError(.functionName, at: function.name)
    }
    self.key = key
    count = parameters.contains { $0.type.isCollection } ? .many : .one
  }

  /// Returns the name that the body uses for a parameter.
  private static func name(of parameter: FunctionParameterSyntax) throws(ManagedError) -> String {
    let token = parameter.secondName ?? parameter.firstName
    if token.tokenKind == .wildcard { throw ManagedError(.unnamedParameter, at: token) }
    return token.quotedName
  }

  private static func check(_ function: FunctionDeclSyntax) throws(ManagedError) {
    if let body = function.body { throw ManagedError(.functionBody, at: body) }
    let isTypeMember = function.modifiers.contains(where: \.isTypeMember)
    let signature = function.signature
    let isPlain =
      function.genericParameterClause == nil && signature.effectSpecifiers == nil
      && signature.returnClause == nil
    if isTypeMember || !isPlain { throw ManagedError(.functionSignature, at: function.name) }
  }
}

extension TypeSyntax {
  /// Whether the type, as it is written, contains several members or several indexes.
  fileprivate var isCollection: Bool {
    if `is`(ArrayTypeSyntax.self) { return true }
    let plain = `as`(IdentifierTypeSyntax.self)
    let member = `as`(MemberTypeSyntax.self)
    let name = plain?.name.plainName ?? member?.name.plainName ?? ""
    if Self.collectionNames.contains(name) { return true }
    // A managed object class can have one of these names, but cannot have type parameters.
    return ["Set", "Array"].contains(name)
      && (plain?.genericArgumentClause ?? member?.genericArgumentClause) != nil
  }

  private static var collectionNames: Set<String> {
    [
      "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet", "NSArray", "NSMutableArray",
      "NSIndexSet", "NSMutableIndexSet", "IndexSet",
    ]
  }
}
