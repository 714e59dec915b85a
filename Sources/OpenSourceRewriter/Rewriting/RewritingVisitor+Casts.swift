import SwiftSyntax

extension RewritingVisitor {
  /// Replaces casts to a fetch request of another result type, which succeed only where types are erased.
  ///
  /// A forced cast of `request` becomes `NSFetchRequest<T>.__recast(request)` with the mark behind it, a conditional
  /// one the same without the mark. The type moves before the operand without its white space, so that no line is added.
  func rewriteCasts(in sequence: SequenceExprSyntax) {
    let elements = Array(sequence.elements)
    for index in elements.indices.dropFirst().dropLast() {
      guard let cast = elements[index].as(UnresolvedAsExprSyntax.self),
        let mark = cast.questionOrExclamationMark,
        let type = elements[index + 1].as(TypeExprSyntax.self)?.type, isErasedRequest(type)
      else { continue }
      let operand = withoutEffects(elements[index - 1])
      let end = type.visibleRange.upperBound
      let name = type.tokens(viewMode: .sourceAccurate).map { $0.text == "any" ? "any " : $0.text }
      edits.insert("\(name.joined()).__recast(", at: operand.visibleRange.lowerBound)
      let close = mark.tokenKind == .exclamationMark ? ")!" : ")"
      replace(operand.visibleRange.upperBound..<end, with: close)
    }
  }

  /// The expression after `try` and `await`, which stay where they are.
  private func withoutEffects(_ expression: ExprSyntax) -> ExprSyntax {
    var expression = expression
    while let inner = expression.as(TryExprSyntax.self)?.expression
      ?? expression.as(AwaitExprSyntax.self)?.expression
    { expression = inner }
    return expression
  }

  /// Whether a type is a fetch request; one for `Self` is what the operand has already.
  private func isErasedRequest(_ type: TypeSyntax) -> Bool {
    guard let request = type.as(IdentifierTypeSyntax.self), request.name.text == "NSFetchRequest",
      let argument = request.genericArgumentClause?.arguments.first,
      request.genericArgumentClause?.arguments.count == 1
    else { return false }
    return argument.argument.trimmedDescription != "Self"
  }
}
