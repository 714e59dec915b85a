internal import OpenPredicates

/// A condition on the objects of a managed class, written with Swift key paths and checked by the compiler.
///
/// ```swift
/// request.predicate = .where(\Post.isHidden == false && \.forum?.id == 3)
/// ```
///
/// The operators `==`, `!=`, `<`, `<=`, `>`, `>=` take a key path and a value, `&&`, `||` and `!` take
/// conditions. Strings, lists and ranges have methods, such as `(\Post.title).contains("x")`; to-many relationships
/// have the functions `any(_:_:)`, `all(_:_:)`, `none(_:_:)` and `count(_:)`. The predicate has the same tree
/// as the equivalent format, so stores execute it in the same way.
///
/// All steps of a key path must be properties declared with `@Managed`; otherwise the fetch throws
/// `PredicateFormatError` with code `.invalidKeyPath`. A handwritten property that reads one managed property and
/// transforms its value cannot be distinguished from that property: do not use it in a condition.
///
/// An addition; Apple's framework has predicates from formats only.
///
/// > Concurrency: A value, confined like the values and objects in it.
public struct TypedPredicate<Root: NSManagedObject> {
  let node: TypedNode
  /// Levels of the tree, so that one that is too deep is never walked.
  let depth: Int

  init(_ node: TypedNode, depth: Int = 1) {
    self.node = node
    self.depth = depth
  }

  /// A condition that is true for all objects, or for none.
  ///
  /// - Parameter value: The value of the condition.
  public init(value: Bool) { self.init(.constant(value)) }

  /// The opposite of a condition.
  var negated: TypedPredicate { TypedPredicate(.not(node), depth: depth + 1) }

  /// Both conditions; chains stay flat.
  func and(_ other: TypedPredicate) -> TypedPredicate {
    let (one, two) = (conjuncts, other.conjuncts)
    return TypedPredicate(.and(one.parts + two.parts), depth: max(one.depth, two.depth) + 1)
  }

  /// Either condition; chains stay flat.
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

/// The tree of a typed predicate, its values in place and its key paths not yet resolved to names.
indirect enum TypedNode {
  case constant(Bool)
  case not(TypedNode)
  case and([TypedNode])
  case or([TypedNode])
  case comparison(TypedComparison)
  case quantified(Quantifier, [PathStep], TypedNode)

  /// How many members of a to-many relationship have to satisfy a condition.
  enum Quantifier {
    case any
    case all
    case none
  }
}

/// One side of a comparison of a typed predicate.
enum TypedTerm {
  case path([PathStep])
  case value(Any?)
}

/// Two terms and how they are compared.
struct TypedComparison {
  var left: TypedTerm
  var operation: ComparisonOperator
  var right: TypedTerm
  var options: StringOptions = []
}

/// A step of a path: a key path, or a collection operator such as `@count`.
enum PathStep {
  case keyPath(AnyKeyPath)
  case collectionOperator(String)

  /// The step of a key path; none for `\.self` and an object's id, which mean the object.
  static func steps<Root, Value>(_ keyPath: KeyPath<Root, Value>) -> [PathStep] {
    keyPath == \Root.self ? [] : [.keyPath(keyPath)]
  }
}
