import SwiftSyntax

extension RewritingVisitor {
  /// Attributes that mean something to Objective-C and its tools only.
  private static var dropped: Set<String> {
    [
      "objc", "objcMembers", "nonobjc", "IBAction", "IBDesignable", "IBInspectable", "IBOutlet",
      "IBSegueAction", "GKInspectable",
    ]
  }

  /// Replaces or removes an attribute.
  func rewrite(_ attribute: AttributeSyntax) {
    guard let name = attribute.simpleName else { return }
    if name == "NSManaged" { return rewriteManaged(attribute) }
    if name == "objc", let className = managedClassName(attribute) {
      return replace(attribute, with: "@ManagedObject(\"\(className)\")")
    }
    if Self.dropped.contains(name) { remove(attribute) }
  }

  /// The name in `@objc(Name)` on a managed object class.
  private func managedClassName(_ attribute: AttributeSyntax) -> String? {
    guard let type = attribute.owner?.as(ClassDeclSyntax.self),
      known.managed.contains(type.name.plainName), let name = attribute.argumentText,
      name.isIdentifier
    else { return nil }
    return name
  }

  private func rewriteManaged(_ attribute: AttributeSyntax) {
    if let function = attribute.owner?.as(FunctionDeclSyntax.self) {
      replace(attribute, with: "@ManagedAccessor" + argument(accessorKey(function)))
    } else if let variable = attribute.owner?.as(VariableDeclSyntax.self) {
      replace(attribute, with: "@Managed" + argument(propertyKey(variable)))
    }
  }

  private func argument(_ key: String?) -> String { key.map { "(\"\($0)\")" } ?? "" }

  /// The key of a property whose Objective-C name is not its name in Swift.
  private func propertyKey(_ variable: VariableDeclSyntax) -> String? {
    let pattern = variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)
    guard let name = variable.attributes.named("objc")?.argumentText, name.isIdentifier,
      variable.bindings.count == 1, name != pattern?.identifier.plainName
    else { return nil }
    return name
  }

  /// The key of an accessor whose selector speaks of another relationship than its name in Swift.
  private func accessorKey(_ function: FunctionDeclSyntax) -> String? {
    guard let selector = function.attributes.named("objc")?.argumentText,
      let key = AccessorSelector.relationshipName(in: selector),
      key != AccessorSelector.relationshipName(inMethod: function.name.plainName)
    else { return nil }
    return key
  }

  /// Gives each property of a declaration one of its own, on the lines where they are.
  func split(_ variable: VariableDeclSyntax) {
    let bindings = Array(variable.bindings)
    guard bindings.count > 1 else { return }
    let modifiers = variable.modifiers.filter { $0.name.tokenKind != .keyword(.dynamic) }
      .map { "\($0.trimmedDescription) " }.joined()
    var type: String?
    for binding in bindings.reversed() {
      if let own = binding.typeAnnotation {
        type = own.type.trimmedDescription
      } else if let type {
        edits.insert(": \(type)", at: binding.pattern.visibleRange.upperBound)
      }
      if let comma = binding.trailingComma {
        edits.replace(comma.visibleRange, with: "; @Managed \(modifiers)var")
      }
    }
  }
}
