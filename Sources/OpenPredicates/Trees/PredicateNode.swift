/// The tree of a predicate: constants, `NOT`, `AND`, `OR` and comparisons.
///
/// A value, independent of any object and of Foundation's classes. Chains of `AND` and `OR` are
/// flat.
public indirect enum PredicateNode: Sendable, Hashable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(Bool)
  /// The opposite of a predicate.
  case not(PredicateNode)
  /// All of them; true when empty.
  case and([PredicateNode])
  /// At least one of them; false when empty.
  case or([PredicateNode])
  /// Two expressions with an operator between.
  case comparison(ComparisonNode)
}
