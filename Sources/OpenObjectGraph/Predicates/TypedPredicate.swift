internal import OpenPredicates

/// A condition on the objects of a managed class, written with Swift key paths and checked by the
/// compiler.
///
/// ```swift
/// request.predicate = .where(\Post.isHidden == false && \.forum?.id == 3)
/// ```
///
/// The operators `==`, `!=`, `<`, `<=`, `>` and `>=` compare a key path with a value. The operators
/// `&&`, `||` and `!` combine conditions. Key paths also have methods for strings, lists of values
/// and ranges, such as `(\Post.title).contains("x")`. For to-many relationships, use the functions
/// `any(_:_:)`, `all(_:_:)`, `none(_:_:)` and `count(_:)`. A store executes a typed predicate in
/// the same way as the equivalent predicate format.
///
/// Each step of a key path must be `objectID` or a property declared with `@Managed`. For any other
/// step, the fetch throws `PredicateFormatError` with code `.invalidKeyPath`. There is one
/// exception: the library cannot detect a computed property that reads exactly one managed
/// property. The fetch then uses the managed property instead of the computed property, and returns
/// a wrong result without an error. Do not use computed properties in key paths.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: A value type; not `Sendable`, because a condition may contain managed objects.
public struct TypedPredicate<Root: NSManagedObject> {
  let node: TypedNode
  /// The number of levels of the tree. With this number, a tree that is too deep can be rejected
  /// without a traversal.
  let depth: Int

  init(_ node: TypedNode, depth: Int = 1) {
    self.node = node
    self.depth = depth
  }

  /// Creates a condition that is true for all objects, or false for all objects.
  ///
  /// - Parameter value: The constant value of the condition.
  public init(value: Bool) { self.init(.constant(value)) }

  /// The negation of the condition.
  var negated: TypedPredicate { TypedPredicate(.not(node), depth: depth + 1) }

  /// Returns the conjunction of two conditions. Chains of conjunctions stay flat.
  func and(_ other: TypedPredicate) -> TypedPredicate {
    let (one, two) = (conjuncts, other.conjuncts)
    return TypedPredicate(.and(one.parts + two.parts), depth: max(one.depth, two.depth) + 1)
  }

  /// Returns the disjunction of two conditions. Chains of disjunctions stay flat.
  func or(_ other: TypedPredicate) -> TypedPredicate {
    let (one, two) = (disjuncts, other.disjuncts)
    return TypedPredicate(.or(one.parts + two.parts), depth: max(one.depth, two.depth) + 1)
  }

  private var conjuncts: (parts: [TypedNode], depth: Int) {
    if case .and(let parts) = node { (parts, depth - 1) } else { ([node], depth) }
  }

  private var disjuncts: (parts: [TypedNode], depth: Int) {
    if case .or(let parts) = node { (parts, depth - 1) } else { ([node], depth) }
  }
}

/// The tree of a typed predicate.
///
/// The tree contains the values of the predicate, and key paths that are not yet resolved to names.
indirect enum TypedNode {
  case constant(Bool)
  case not(TypedNode)
  case and([TypedNode])
  case or([TypedNode])
  case comparison(TypedComparison)
  case quantified(Quantifier, [PathStep], TypedNode)

  /// The quantifier of a condition on the members of a to-many relationship.
  enum Quantifier {
    case any
    case all
    case none
  }
}

/// One side of a comparison in a typed predicate.
enum TypedTerm {
  case path([PathStep])
  case value(Any?)
}

/// A comparison of two terms in a typed predicate.
struct TypedComparison {
  var left: TypedTerm
  var operation: ComparisonOperator
  var right: TypedTerm
  var options: StringOptions = []
}

/// A step of a path: a key path or a collection operator such as `@count`.
enum PathStep {
  case keyPath(AnyKeyPath)
  case collectionOperator(String)

  /// Returns the steps of a key path; empty for `\.self`, which represents the object itself.
  static func steps<Root, Value>(_ keyPath: KeyPath<Root, Value>) -> [PathStep] {
    keyPath == \Root.self ? [] : [.keyPath(keyPath)]
  }
}
