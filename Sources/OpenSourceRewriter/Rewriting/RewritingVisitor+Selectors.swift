import SwiftSyntax

extension RewritingVisitor {
  /// Replaces the selector of a sort descriptor by its name, and reports a problem with a remedy
  /// for any other selector.
  func rewriteSelector(_ node: MacroExpansionExprSyntax) {
    guard let argument = node.parent?.as(LabeledExprSyntax.self),
      let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self),
      let label = argument.label, label.plainName == "selector"
    else { return refuse(node) }
    let labels = call.arguments.map { $0.label?.plainName ?? "_" }
    if labels == ["key", "ascending", "selector"], let name = comparisonName(node) {
      replace(label, with: "selectorName")
      return replace(node, with: "\"\(name)\"")
    }
    if labels == ["_", "selector", "name", "object"] {
      return refuse(node, "use '\(observation(call, node))' and keep the returned token")
    }
    refuse(node)
  }

  private func refuse(_ node: MacroExpansionExprSyntax, _ remedy: String? = nil) {
    // Where it is not known whether the code is compiled, the compiler reports it if it is.
    guard PlatformCondition.isActive(node) == true else { return }
    let argument = node.arguments.first
    let property = argument?.label?.plainName == "getter" ? argument?.expression.methodName : nil
    let key = property.map { "write the name of the property as a string literal, \"\($0)\"" }
    report(
      "'#selector' requires the Objective-C runtime; \(remedy ?? key ?? "pass a closure instead")",
      at: node)
  }

  /// Returns the name of the selector if it refers to a comparison method of a Foundation class.
  private func comparisonName(_ node: MacroExpansionExprSyntax) -> String? {
    guard let expression = node.arguments.first?.expression, node.arguments.count == 1,
      let access = expression.as(MemberAccessExprSyntax.self),
      access.base?.trimmedDescription.hasPrefix("NS") == true,
      let name = expression.methodName
    else { return nil }
    return name + ":"
  }

  /// Returns the call that registers a closure instead of a selector.
  private func observation(
    _ call: FunctionCallExprSyntax, _ node: MacroExpansionExprSyntax
  ) -> String {
    let arguments = call.arguments.map(\.expression)
    let observer = arguments[0].as(DeclReferenceExprSyntax.self)?.baseName.text ?? "self"
    let selected = node.arguments.first?.expression
    let method = selected?.methodName ?? "method"
    let labels = selected?.argumentLabels
    let parameters =
      switch labels?.first {
      case .some("_"): "notification"
      case .some(let label): "\(label): notification"
      case nil: labels == nil ? "notification" : ""
      }
    return "\(call.calledExpression.oneLine)(forName: \(arguments[2].oneLine), "
      + "object: \(arguments[3].oneLine), queue: nil) { [weak \(observer)] notification in "
      + "\(observer)?.\(method)(\(parameters)) }"
  }
}

extension ExprSyntax {
  private var reference: DeclReferenceExprSyntax? {
    `as`(DeclReferenceExprSyntax.self) ?? `as`(MemberAccessExprSyntax.self)?.declName
  }

  /// The name of a method or property, without its base expression.
  fileprivate var methodName: String? { reference?.baseName.plainName }

  /// The argument labels in the full name of a method; nil for a name without parentheses.
  fileprivate var argumentLabels: [String]? {
    reference?.argumentNames?.arguments.map(\.name.text)
  }
}
