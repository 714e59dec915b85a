import OpenPredicates

/// Short spellings for the trees that tests expect.
func key(_ path: String...) -> ExpressionNode { .keyPath(path) }

func int(_ integer: Int64) -> ExpressionNode { .constant(.int(integer)) }

func text(_ string: String) -> ExpressionNode { .constant(.string(string)) }

func call(_ name: String, _ operands: ExpressionNode...) -> ExpressionNode {
  .function(name, operands)
}

func compare(
  _ left: ExpressionNode, _ operation: ComparisonOperator, _ right: ExpressionNode,
  _ options: StringOptions = [], modifier: ComparisonModifier = .direct
) -> PredicateNode {
  .comparison(
    ComparisonNode(
      left: left, right: right, modifier: modifier, operation: operation, options: options))
}

/// The parsed tree of a predicate.
func tree(_ format: String, _ arguments: [Any?] = []) throws -> PredicateNode {
  switch try predicateForm(format, arguments) {
  case .template(let template, _, _): return template.root
  default: throw UnexpectedForm()
  }
}

/// Thrown if a predicate is not suitable for the test.
struct UnexpectedForm: Error {}

private func predicateForm(_ format: String, _ arguments: [Any?]) throws -> PredicateForm {
  try makePredicate(format, arguments).form
}
