public import Foundation
public import OpenPredicates

extension FormatInitializable {
  /// Creates a predicate from a typed predicate.
  ///
  /// An addition to Apple's API. For a key path that is not a managed property, the predicate is never true, and a fetch with it
  /// throws `PredicateFormatError` with code `.invalidKeyPath`.
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
  /// Creates a predicate from a typed predicate where the type is known:
  /// `request.predicate = .where(\Post.isHidden == false)`.
  ///
  /// An addition to Apple's API.
  ///
  /// - Parameter typed: The condition.
  /// - Returns: The predicate.
  public static func `where`<Root>(_ typed: TypedPredicate<Root>) -> NSPredicate {
    typed.predicate
  }
}

extension TypedPredicate {
  /// The predicate with the tree of the format of the same meaning.
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
  /// Adds a condition to the request.
  ///
  /// ```swift
  /// let posts = try context.fetch(Post.fetchRequest().where(\.isHidden == false))
  /// ```
  ///
  /// An addition to Apple's API.
  ///
  /// - Parameter condition: The condition.
  /// - Returns: The request itself.
  /// > Concurrency: As for the request itself: one thread at a time.
  @discardableResult
  public func `where`(_ condition: TypedPredicate<ResultType>) -> Self {
    let added = condition.predicate
    predicate =
      predicate.map { NSCompoundPredicate(andPredicateWithSubpredicates: [$0, added]) } ?? added
    return self
  }

  /// Adds a condition to the request, built on a placeholder of the object.
  ///
  /// An addition to Apple's API.
  ///
  /// - Parameter condition: Builds the condition on the placeholder.
  /// - Returns: The request itself.
  /// > Concurrency: As for the request itself: one thread at a time.
  @discardableResult
  public func `where`(
    _ condition: (TypedExpression<ResultType, ResultType>) -> TypedPredicate<ResultType>
  ) -> Self {
    `where`(condition(TypedExpression(steps: [])))
  }
}
