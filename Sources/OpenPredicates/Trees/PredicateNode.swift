/// The tree of a predicate: constants, `NOT`, `AND`, `OR` and comparisons.
///
/// The tree is independent of any object and of Foundation's classes. A chain of operands connected
/// by `AND`, or by `OR`, is one node.
public indirect enum PredicateNode: Sendable, Hashable {
  /// A constant, `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(Bool)
  /// The negation of a predicate.
  case not(PredicateNode)
  /// The conjunction of predicates; an empty conjunction is true.
  case and([PredicateNode])
  /// The disjunction of predicates; an empty disjunction is false.
  case or([PredicateNode])
  /// A comparison of two expressions.
  case comparison(ComparisonNode)
}
