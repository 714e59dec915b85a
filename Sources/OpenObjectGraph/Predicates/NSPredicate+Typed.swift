public import Foundation
public import OpenPredicates

extension FormatInitializable {
  /// Creates a predicate from a typed predicate.
  ///
  /// In the following cases, the predicate is never true, and a fetch with the predicate throws
  /// `PredicateFormatError` with the given code:
  /// - `.invalidKeyPath`: A key path in the typed predicate does not refer to a managed property.
  /// - `.tooDeep`: The typed predicate is nested more than 200 levels deep.
  ///
  /// The initializer traps if it is called on a subclass of `NSPredicate`.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter typed: The typed predicate.
  /// - Complexity: O(*n*) in the number of comparisons and operators of the typed predicate.
  public init<Root>(_ typed: TypedPredicate<Root>) {
    guard let predicate = typed.predicate as? Self else {
      preconditionFailure(
        "A typed predicate cannot create an instance of a subclass. Call NSPredicate(_:).")
    }
    self = predicate
  }
}

extension NSPredicate {
  /// Returns an `NSPredicate` that is equivalent to a typed predicate.
  ///
  /// In an assignment to a property of the type `NSPredicate`, you can omit the name of the class:
  ///
  /// ```swift
  /// request.predicate = .where(\Post.isHidden == false)
  /// ```
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter typed: The typed predicate.
  /// - Returns: The predicate. For an invalid typed predicate, the predicate is never true, and a
  ///   fetch throws the error that `NSPredicate(_:)` describes.
  public static func `where`<Root>(_ typed: TypedPredicate<Root>) -> NSPredicate {
    typed.predicate
  }
}

extension TypedPredicate {
  /// The untyped predicate, whose tree is equal to that of the equivalent predicate format.
  var predicate: NSPredicate {
    guard depth <= TreeDepth.limit else {
      return .invalid(
        PredicateFormatError(
          code: .tooDeep,
          message: "The predicate is nested more than \(TreeDepth.limit) levels deep."))
    }
    var lowering = TypedLowering()
    let root = lowering.lower(node)
    if let failure = lowering.failure { return .invalid(failure) }
    let template = TypedTemplates.template(of: root, argumentCount: lowering.arguments.count)
    return .from(template, arguments: lowering.arguments, variables: [:])
  }
}

extension NSFetchRequest where ResultType: NSManagedObject {
  /// Adds a condition that the fetched objects must satisfy.
  ///
  /// ```swift
  /// let posts = try context.fetch(Post.fetchRequest().where(\.isHidden == false))
  /// ```
  ///
  /// If the request already has a predicate, the fetched objects satisfy both the predicate and the
  /// condition.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter condition: The condition to add. If a key path of the condition does not refer to
  ///   a managed property, the fetch throws `PredicateFormatError` with code `.invalidKeyPath`.
  /// - Returns: The request itself, for chaining.
  /// > Concurrency: Use the request and this method on only one thread at a time.
  @discardableResult
  public func `where`(_ condition: TypedPredicate<ResultType>) -> Self {
    let added = condition.predicate
    predicate =
      predicate.map { NSCompoundPredicate(andPredicateWithSubpredicates: [$0, added]) } ?? added
    return self
  }

  /// Adds a condition, created by a closure, that the fetched objects must satisfy, for example
  /// `request.where { $0.author.name == "Ann" }`.
  ///
  /// If the request already has a predicate, the fetched objects satisfy both the predicate and the
  /// condition.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter condition: A closure that receives an expression for the object and returns the
  ///   condition. If a key path of the condition does not refer to a managed property, the fetch
  ///   throws `PredicateFormatError` with code `.invalidKeyPath`.
  /// - Returns: The request itself, for chaining.
  /// > Concurrency: Use the request and this method on only one thread at a time.
  @discardableResult
  public func `where`(
    _ condition: (TypedExpression<ResultType, ResultType>) -> TypedPredicate<ResultType>
  ) -> Self {
    `where`(condition(TypedExpression(steps: [])))
  }
}
