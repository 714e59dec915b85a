import SwiftSyntax
import SwiftSyntaxBuilder

/// The validation methods in a class's body: `validate<Key>(_:)`, and an override of
/// `validateValue(_:forKey:)`.
///
/// Methods cannot be found by name at run time, so generated code of the class calls the methods.
struct ManagedValidators {
  /// A method that validates one property.
  private struct Validator {
    let method: String
    let keys: [String]
    let throwsErrors: Bool
    /// The `#if` condition under which the method exists.
    let condition: String?
  }

  private let type: ClassDeclSyntax
  private let superclass: String
  private var validators: [Validator] = []
  /// Whether the class declares validators in addition to the rules of the model.
  private var checksMore = false

  /// Reads a class's body.
  ///
  /// - Throws: `ManagedError` for a validation method whose pointer has another type.
  init(of type: ClassDeclSyntax, superclass: TypeSyntax) throws(ManagedError) {
    self.type = type
    self.superclass = superclass.trimmedDescription
    for member in type.memberBlock.members.allMembers {
      guard let function = member.declaration.as(FunctionDeclSyntax.self) else { continue }
      try read(function, under: member.condition)
    }
  }

  private mutating func read(
    _ function: FunctionDeclSyntax, under condition: String?
  ) throws(ManagedError) {
    let name = function.name.plainName
    if name == "validateValue" { checksMore = true }
    guard let key = name.propertyName(after: "validate"), try Self.validatesValue(function) else {
      return
    }
    checksMore = true
    let written = String(name.dropFirst("validate".count))
    validators.append(
      Validator(
        method: name, keys: [key, written],
        throwsErrors: function.signature.effectSpecifiers?.throwsClause != nil,
        condition: condition))
  }

  /// Returns whether a method has a pointer to a value as its only parameter, without a label.
  ///
  /// - Throws: `ManagedError` for an autoreleasing pointer to a value of a specific type. The
  ///   Objective-C runtime calls such a method, but generated code cannot convert the pointer.
  private static func validatesValue(
    _ function: FunctionDeclSyntax
  ) throws(ManagedError) -> Bool {
    let parameters = function.signature.parameterClause.parameters
    guard let parameter = parameters.first, parameters.count == 1, parameter.firstName.text == "_",
      function.signature.returnClause == nil, function.genericParameterClause == nil,
      !function.modifiers.contains(where: \.isTypeMember)
    else { return false }
    let type = parameter.type.trimmedDescription.filter { !$0.isWhitespace }
      .replacing("Swift.", with: "")
    if ["AutoreleasingUnsafeMutablePointer<AnyObject?>", "UnsafeMutablePointer<AnyObject?>"]
      .contains(type)
    {
      return true
    }
    if type.hasPrefix("AutoreleasingUnsafeMutablePointer<") {
      throw ManagedError(.validatorPointee, at: parameter.type)
    }
    return false
  }

  /// The members that list the methods and call them.
  ///
  /// - Parameter access: The access level of overrides, followed by a space unless it is implied.
  func members(access: String) -> [DeclSyntax] {
    validators.isEmpty ? [mark(access)] : [mark(access), dispatch(access)]
  }

  /// The property compares the class, because subclasses do not inherit the value.
  private func mark(_ access: String) -> DeclSyntax {
    let answer =
      checksMore ? "true" : "self != \(type.name.trimmed).self || \(superclass).__validatesMore"
    return """
      \(raw: access)override class var __validatesMore: Swift.Bool {
        \(raw: answer)
      }
      """
  }

  private func dispatch(_ access: String) -> DeclSyntax {
    let cases = validators.map { validator in
      let keys = validator.keys.map { "\"\($0)\"" }.joined(separator: ", ")
      let call = "\(validator.throwsErrors ? "try " : "")\(validator.method)(value)"
      return directive(validator.condition, around: "  case \(keys): \(call)")
    }
    return """
      \(raw: access)override func __validate(
        _ value: Swift.UnsafeMutablePointer<Swift.AnyObject?>, forKey key: Swift.String
      ) throws {
        switch key {
      \(raw: cases.joined(separator: "\n"))
        default: try super.__validate(value, forKey: key)
        }
      }
      """
  }
}
