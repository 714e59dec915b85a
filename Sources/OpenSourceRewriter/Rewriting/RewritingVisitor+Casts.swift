import SwiftSyntax

extension RewritingVisitor {
  /// Replaces casts to a fetch request or results controller with another result type, and casts of
  /// the result of `mutableSetValue(forKey:)` to a Swift set.
  ///
  /// Such a cast succeeds only if the generic types are erased, as in Objective-C.
  ///
  /// A forced cast of `request` becomes `NSFetchRequest<T>.__recast(request)!`. A conditional cast
  /// becomes the same call without the exclamation mark. A type test becomes a comparison with nil.
  /// The method moves the type before the operand and removes the whitespace in the type, so that
  /// no line is added. In a chain of casts, the last cast encloses the other casts.
  func rewriteCasts(in sequence: SequenceExprSyntax) {
    let elements = Array(sequence.elements)
    for index in elements.indices.dropFirst().dropLast().reversed() {
      guard let type = elements[index + 1].as(TypeExprSyntax.self)?.type else { continue }
      let operand = withoutEffects(elements[start(ofCastAt: index, in: elements)])
      guard isErased(type) || isSwiftSet(type) && isLiveSet(operand),
        let end = closing(of: elements[index], around: sequence)
      else { continue }
      let name = bareType(type).tokens(viewMode: .sourceAccurate)
        .map { $0.text == "any" ? "any " : $0.text }.joined()
      edits.insert("\(end.opening)\(name).__recast(", at: operand.visibleRange.lowerBound)
      let from = elements[index - 1].visibleRange.upperBound
      replace(from..<type.visibleRange.upperBound, with: end.closing)
    }
  }

  /// Reports a problem for a pattern that tests the result type.
  func refusePattern(_ node: some SyntaxProtocol) {
    report(
      "a pattern cannot distinguish the result types of fetch requests or fetched results controllers; use 'if let r = x as? T' instead",
      at: node)
  }

  /// Returns the text before and after the operand of a replaced cast; nil if the cast does not
  /// change.
  private func closing(
    of cast: ExprSyntax, around sequence: SequenceExprSyntax
  ) -> (opening: String, closing: String)? {
    if cast.is(UnresolvedIsExprSyntax.self) { return ("(", ") != nil)") }
    guard let cast = cast.as(UnresolvedAsExprSyntax.self) else { return nil }
    switch cast.questionOrExclamationMark?.tokenKind {
    case .exclamationMark: return ("", ")!")
    case .postfixQuestionMark, .infixQuestionMark: return ("", ")")
    default:
      if sequence.parent?.is(ExpressionPatternSyntax.self) == true { refusePattern(sequence) }
      return nil
    }
  }

  /// Returns the index of the expression at the beginning of a chain of casts.
  private func start(ofCastAt index: Int, in elements: [ExprSyntax]) -> Int {
    var start = index - 1
    while start >= 2, elements[start].is(TypeExprSyntax.self) { start -= 2 }
    return start
  }

  /// Returns the expression after `try` and `await`, which do not move.
  private func withoutEffects(_ expression: ExprSyntax) -> ExprSyntax {
    var expression = expression
    while let inner = expression.as(TryExprSyntax.self)?.expression
      ?? expression.as(AwaitExprSyntax.self)?.expression
    { expression = inner }
    return expression
  }

  /// Returns whether a type is a fetch request or results controller with a result type.
  func isErased(_ type: TypeSyntax) -> Bool {
    let type = bareType(type)
    guard let name = type.simpleName else { return false }
    return ["NSFetchRequest", "NSFetchedResultsController"].contains(name)
      && type.genericArguments?.count == 1
  }

  /// Returns whether a type is a Swift set with an element type.
  private func isSwiftSet(_ type: TypeSyntax) -> Bool {
    let type = bareType(type)
    let arguments =
      type.as(IdentifierTypeSyntax.self)?.genericArgumentClause
      ?? type.as(MemberTypeSyntax.self)?.genericArgumentClause
    return type.simpleName == "Set" && arguments?.arguments.count == 1
  }

  /// Returns whether an expression calls `mutableSetValue(forKey:)`.
  private func isLiveSet(_ expression: ExprSyntax) -> Bool {
    guard let call = expression.as(FunctionCallExprSyntax.self),
      call.arguments.first?.label?.text == "forKey"
    else { return false }
    let callee = call.calledExpression
    let name =
      callee.as(MemberAccessExprSyntax.self)?.declName ?? callee.as(DeclReferenceExprSyntax.self)
    return name?.baseName.text == "mutableSetValue"
  }

  /// Returns a type without a trailing question mark.
  private func bareType(_ type: TypeSyntax) -> TypeSyntax {
    type.as(OptionalTypeSyntax.self)?.wrappedType ?? type
  }
}
