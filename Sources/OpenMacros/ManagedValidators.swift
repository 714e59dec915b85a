import SwiftSyntax
import SwiftSyntaxBuilder

/// The validation methods in a class's body: `validate<Key>(_:)`, and an override of `validateValue(_:forKey:)`.
///
/// Nothing finds methods by name at run time, so that the class itself has to know them.
struct ManagedValidators {
  /// A method that validates one property.
  private struct Validator {
    let method: String
    let keys: [String]
    let throwsErrors: Bool
  }

  private let type: ClassDeclSyntax
  private let superclass: String
  private var validators: [Validator] = []
  /// Whether objects have more to check than their model says.
  private var checksMore = false

  /// Reads a class's body.
  ///
  /// - Throws: `ManagedError` for a validation method that cannot be called.
  init(of type: ClassDeclSyntax, superclass: TypeSyntax) throws(ManagedError) {
    self.type = type
    self.superclass = superclass.trimmedDescription
    try read(type.memberBlock.members, isConditional: false)
  }

  private mutating func read(
    _ members: MemberBlockItemListSyntax, isConditional: Bool
  ) throws(ManagedError) {
    for member in members {
      if let function = member.decl.as(FunctionDeclSyntax.self) {
        try read(function, isConditional: isConditional)
      }
      guard let conditional = member.decl.as(IfConfigDeclSyntax.self) else { continue }
      for clause in conditional.clauses {
        guard case .decls(let members)? = clause.elements else { continue }
        try read(members, isConditional: true)
      }
    }
  }

  private mutating func read(
    _ function: FunctionDeclSyntax, isConditional: Bool
  ) throws(ManagedError) {
    let name = function.name.plainName
    if name == "validateValue" { checksMore = true }
    guard let key = name.propertyName(after: "validate"), Self.validatesValue(function) else {
      return
    }
    if isConditional { throw ManagedError(.conditionalValidator, at: function.name) }
    checksMore = true
    let written = String(name.dropFirst("validate".count))
    validators.append(
      Validator(
        method: name, keys: [key, written],
        throwsErrors: function.signature.effectSpecifiers?.throwsClause != nil))
  }

  /// Whether a method has a pointer to a value as its only parameter, without a label.
  private static func validatesValue(_ function: FunctionDeclSyntax) -> Bool {
    let parameters = function.signature.parameterClause.parameters
    guard let parameter = parameters.first, parameters.count == 1, parameter.firstName.text == "_",
      function.signature.returnClause == nil, function.genericParameterClause == nil,
      !function.modifiers.contains(where: \.isTypeMember)
    else { return false }
    let type = parameter.type.trimmedDescription.filter { !$0.isWhitespace }
    return ["AutoreleasingUnsafeMutablePointer<AnyObject?>", "UnsafeMutablePointer<AnyObject?>"]
      .contains(type)
  }

  /// The members that tell of the methods and call them.
  ///
  /// - Parameter access: The access level of overrides, followed by a space unless it is implied.
  func members(access: String) -> [DeclSyntax] {
    validators.isEmpty ? [mark(access)] : [mark(access), dispatch(access)]
  }

  /// Subclasses do not inherit the answer, hence the comparison.
  private func mark(_ access: String) -> DeclSyntax {
    let answer =
      checksMore ? "true" : "self != \(type.name.trimmed).self || \(superclass).__validatesMore"
    return """
      \(raw: access)override class var __validatesMore: Bool {
        \(raw: answer)
      }
      """
  }

  private func dispatch(_ access: String) -> DeclSyntax {
    let cases = validators.map { validator in
      let keys = validator.keys.map { "\"\($0)\"" }.joined(separator: ", ")
      let call = "\(validator.throwsErrors ? "try " : "")\(validator.method)(value)"
      return "  case \(keys): \(call)"
    }
    return """
      \(raw: access)override func __validate(
        _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
      ) throws {
        switch key {
      \(raw: cases.joined(separator: "\n"))
        default: try super.__validate(value, forKey: key)
        }
      }
      """
  }
}
