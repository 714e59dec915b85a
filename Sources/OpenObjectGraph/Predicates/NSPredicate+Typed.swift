public import Foundation
public import OpenPredicates

extension FormatInitializable {
  /// Creates a predicate from a typed predicate.
  ///
  /// If the condition uses a key path that is not a managed property, the predicate is never true.
  /// A fetch with such a predicate throws `PredicateFormatError` with code `.invalidKeyPath`. This
  /// is an addition to Apple's API.
  ///
  /// - Parameter typed: The condition.
  /// - Complexity: O(size of the condition).
  public init<Root>(_ typed: TypedPredicate<Root>) {
    guard let predicate = typed.predicate as? Self else {
      preconditionFailure(
        "A typed predicate makes an NSPredicate, not a subclass. Call NSPredicate(_:).")
    }
    self = predicate
  }
}

extension NSPredicate {
  /// Creates a predicate from a typed predicate where the expected type is known.
  ///
  /// ```swift
  /// request.predicate = .where(\Post.isHidden == false)
  /// ```
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter typed: The condition.
  /// - Returns: The predicate.
  public static func `where`<Root>(_ typed: TypedPredicate<Root>) -> NSPredicate {
    typed.predicate
  }
}

extension TypedPredicate {
  /// The untyped predicate, with the same tree as the equivalent format.
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
  /// Restricts the request to objects that satisfy a condition.
  ///
  /// ```swift
  /// let posts = try context.fetch(Post.fetchRequest().where(\.isHidden == false))
  /// ```
  ///
  /// If the request already has a predicate, both conditions apply. This is an addition to Apple's
  /// API.
  ///
  /// - Parameter condition: The condition to add.
  /// - Returns: The request itself.
  /// > Concurrency: Like the request, the method may be used by one thread at a time.
  @discardableResult
  public func `where`(_ condition: TypedPredicate<ResultType>) -> Self {
    let added = condition.predicate
    predicate =
      predicate.map { NSCompoundPredicate(andPredicateWithSubpredicates: [$0, added]) } ?? added
    return self
  }

  /// Restricts the request to objects that satisfy a condition, which a closure builds.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter condition: A closure that receives a placeholder for the object and returns the
  ///   condition.
  /// - Returns: The request itself.
  /// > Concurrency: Like the request, the method may be used by one thread at a time.
  @discardableResult
  public func `where`(
    _ condition: (TypedExpression<ResultType, ResultType>) -> TypedPredicate<ResultType>
  ) -> Self {
    `where`(condition(TypedExpression(steps: [])))
  }
}
