import SwiftSyntax

extension RewritingVisitor {
  /// Replaces casts to a fetch request or results controller of another result type, which succeed only where types
  /// are erased, and those of what `mutableSetValue(forKey:)` returns to a Swift set.
  ///
  /// A forced cast of `request` becomes `NSFetchRequest<T>.__recast(request)` with the mark behind it, a conditional
  /// one the same without the mark, and a test of the type a comparison with nil. The type moves before the operand
  /// without its white space, so that no line is added. Of a chain of casts, the last one encloses the others.
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

  /// Reports a pattern that tests the result type.
  func refusePattern(_ node: some SyntaxProtocol) {
    report(
      "a pattern cannot tell the result types of requests and controllers apart; write 'if let r = x as? T'",
      at: node)
  }

  /// What a cast becomes; nil for one that stays.
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

  /// The place of the expression that a chain of casts begins with.
  private func start(ofCastAt index: Int, in elements: [ExprSyntax]) -> Int {
    var start = index - 1
    while start >= 2, elements[start].is(TypeExprSyntax.self) { start -= 2 }
    return start
  }

  /// The expression after `try` and `await`, which stay where they are.
  private func withoutEffects(_ expression: ExprSyntax) -> ExprSyntax {
    var expression = expression
    while let inner = expression.as(TryExprSyntax.self)?.expression
      ?? expression.as(AwaitExprSyntax.self)?.expression
    { expression = inner }
    return expression
  }

  /// Whether a type is a request or a controller of a result type; one of `Self` is what the operand has already.
  func isErased(_ type: TypeSyntax) -> Bool {
    let type = bareType(type)
    guard let name = type.simpleName,
      ["NSFetchRequest", "NSFetchedResultsController"].contains(name),
      let arguments = type.as(IdentifierTypeSyntax.self)?.genericArgumentClause?.arguments
        ?? type.as(MemberTypeSyntax.self)?.genericArgumentClause?.arguments,
      let argument = arguments.first, arguments.count == 1
    else { return false }
    return argument.argument.trimmedDescription != "Self"
  }

  /// Whether a type is a Swift set of an element type.
  private func isSwiftSet(_ type: TypeSyntax) -> Bool {
    let type = bareType(type)
    let arguments =
      type.as(IdentifierTypeSyntax.self)?.genericArgumentClause
      ?? type.as(MemberTypeSyntax.self)?.genericArgumentClause
    return type.simpleName == "Set" && arguments?.arguments.count == 1
  }

  /// Whether an expression calls `mutableSetValue(forKey:)`.
  private func isLiveSet(_ expression: ExprSyntax) -> Bool {
    guard let call = expression.as(FunctionCallExprSyntax.self),
      call.arguments.first?.label?.text == "forKey"
    else { return false }
    let callee = call.calledExpression
    let name =
      callee.as(MemberAccessExprSyntax.self)?.declName ?? callee.as(DeclReferenceExprSyntax.self)
    return name?.baseName.text == "mutableSetValue"
  }

  /// A type without question marks behind it.
  private func bareType(_ type: TypeSyntax) -> TypeSyntax {
    type.as(OptionalTypeSyntax.self)?.wrappedType ?? type
  }
}
