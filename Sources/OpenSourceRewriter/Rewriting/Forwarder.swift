import SwiftSyntax

/// A member that is added to a class and calls a renamed member of an extension.
struct Forwarder {
  /// The new name of the member in the extension.
  let newName: String
  /// The source of the member of the class, on one line.
  let text: String

  /// - Throws: `Refusal` if another member cannot call the member.
  init(
    _ member: ExtensionMember, of type: ClassDeclarations.Declaration, attributes: String
  ) throws(Refusal) {
    let prefix = "__" + type.path.filter(\.isIdentifier).joined(separator: "_") + "_"
    let head = attributes + Self.modifiers(of: member)
    if let function = member.declaration.as(FunctionDeclSyntax.self) {
      newName = prefix + function.name.plainName
      text = try Self.function(function, head, calling: newName)
    } else if let variable = member.declaration.as(VariableDeclSyntax.self) {
      let binding = variable.bindings.first
      guard let name = binding?.pattern.as(IdentifierPatternSyntax.self)?.identifier,
        variable.bindings.count == 1
      else { throw Refusal() }
      newName = prefix + name.plainName
      text = try Self.property(variable, name, head, calling: newName)
    } else {
      throw Refusal()
    }
  }

  /// The error for a member that must be declared in the class.
  struct Refusal: Error {}

  private static func modifiers(of member: ExtensionMember) -> String {
    let modifiers =
      member.declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers ?? []
    let implied = modifiers.accessLevel == nil ? member.parent.modifiers.accessLevel : nil
    let kept = modifiers.map(\.oneLine).filter {
      !["dynamic", "private", "fileprivate", "final"].contains($0)
    }
    let access = implied.map { $0 == "private" ? "fileprivate" : $0 }
    return ((access.map { [$0] } ?? []) + kept).map { $0 + " " }.joined()
  }

  private static func function(
    _ function: FunctionDeclSyntax, _ head: String, calling name: String
  ) throws(Refusal) -> String {
    var parameters: [String] = []
    var arguments: [String] = []
    for (index, parameter) in function.signature.parameterClause.parameters.enumerated() {
      let type = parameter.type.oneLine
      if parameter.ellipsis != nil || type.hasPrefix("@autoclosure") { throw Refusal() }
      let label = parameter.firstName.text
      let written = (parameter.secondName ?? parameter.firstName).text
      let value = written == "_" ? "value\(index)" : written
      let names = label == value ? label : "\(label) \(value)"
      let standard = parameter.defaultValue.map { " \($0.oneLine)" } ?? ""
      parameters.append("\(names): \(type)\(standard)")
      let reference = (type.hasPrefix("inout ") ? "&" : "") + value
      arguments.append(label == "_" ? reference : "\(label): \(reference)")
    }
    let effects = function.signature.effectSpecifiers
    let marks =
      (effects?.throwsClause != nil ? "try " : "")
      + (effects?.asyncSpecifier != nil ? "await " : "")
    return head + "func " + function.name.text + (function.genericParameterClause?.oneLine ?? "")
      + "(\(parameters.joined(separator: ", ")))"
      + [
        effects?.oneLine, function.signature.returnClause?.oneLine,
        function.genericWhereClause?.oneLine,
      ]
      .compactMap { $0 }.map { " " + $0 }.joined()
      + " { return \(marks)\(name)(\(arguments.joined(separator: ", "))) }"
  }

  private static func property(
    _ variable: VariableDeclSyntax, _ name: TokenSyntax, _ head: String, calling newName: String
  ) throws(Refusal) -> String {
    guard let binding = variable.bindings.first, let type = binding.typeAnnotation,
      let block = binding.accessorBlock
    else { throw Refusal() }
    var effects = ""
    var setter = ""
    if case .accessors(let accessors) = block.accessors {
      for accessor in accessors {
        switch accessor.accessorSpecifier.tokenKind {
        case .keyword(.get): effects = accessor.effectSpecifiers.map { $0.oneLine + " " } ?? ""
        case .keyword(.set): setter = " set { \(newName) = newValue }"
        default: throw Refusal()
        }
      }
    }
    let marks =
      (effects.contains("throws") ? "try " : "") + (effects.contains("async") ? "await " : "")
    return head
      + "var \(name.text)\(type.oneLine) { get \(effects){ return \(marks)\(newName) }\(setter) }"
  }
}
