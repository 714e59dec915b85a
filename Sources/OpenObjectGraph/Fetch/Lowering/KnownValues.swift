internal import Foundation
internal import OpenPredicates
internal import OpenStoreContract

/// Thrown for a predicate with parts that are equal for all rows, but require objects for their
/// evaluation.
///
/// These parts are `FETCH(…)`, and paths and subqueries that start at objects among the arguments
/// or variables.
struct NeedsValues: Error, CustomStringConvertible {
  var description: String {
    "FETCH, and paths and subqueries that start at an argument or variable, cannot be used in this kind of request."
  }
}

extension FetchPlanner {
  /// Returns the plan of a context's request.
  ///
  /// Parts of the predicate that require objects are replaced by their values first.
  ///
  /// - Throws: `PredicateFormatError`, or `CocoaError` for a request that does not match the model.
  func plan(_ request: Request, in context: NSManagedObjectContext) throws -> Planned {
    try surfacingErrors {
      do {
        var planned = try plan(request)
        // Otherwise, the fetches inside the predicate would be executed again for each object.
        planned.remaining = try planned.remaining?.withKnownValues(in: context)
        return planned
      } catch is NeedsValues {
        var known = request
        known.predicate = try request.predicate.map { try $0.withKnownValues(in: context) }
        known.hasKnownValues = true
        return try plan(known)
      }
    }
  }
}

extension NSPredicate {
  /// Returns the predicate with values in place of the parts that require objects; the predicate
  /// itself if it has no such parts.
  ///
  /// - Throws: The errors of the fetches inside the predicate.
  func withKnownValues(in context: NSManagedObjectContext) throws -> NSPredicate {
    switch form {
    case .template(let template, let arguments, let variables):
      let values = KnownValues(context, arguments, variables)
      let root = try TreeReplacement(values.replacement)
        .node(TreeReplacement(values.start).node(template.root))
      guard values.arguments.count > arguments.count else { return self }
      return NSPredicate.from(
        PredicateTemplate(root: root, argumentCount: values.arguments.count),
        arguments: values.arguments, variables: variables)
    case .compound(let type, _):
      guard let compound = self as? NSCompoundPredicate else { return self }
      let parts = compound.subpredicates
      let known = try parts.map { try $0.withKnownValues(in: context) }
      guard zip(parts, known).contains(where: { $0 !== $1 }) else { return self }
      return NSCompoundPredicate(type: type, subpredicates: known)
    case .constant, .block, .memory, .invalid: return self
    }
  }
}

/// Evaluates the parts of a predicate that are equal for all rows, and stores the values as
/// arguments.
///
/// > Concurrency: Confined to the context's queue.
private final class KnownValues {
  private let context: NSManagedObjectContext
  private let variables: [String: Any]
  private(set) var arguments: [Any?]

  init(_ context: NSManagedObjectContext, _ arguments: [Any?], _ variables: [String: Any]) {
    self.context = context
    self.arguments = arguments
    self.variables = variables
  }

  /// Executes the fetches at whose results a path or a subquery starts.
  func start(_ node: ExpressionNode, _: TreeReplacement.Subqueries) throws -> ExpressionNode? {
    switch node {
    case .path(let base, let path) where base.selectsFetchResults:
      return .path(of: try executed(base, .results), path)
    case .subquery(let base, let name, let filter) where base.selectsFetchResults:
      return .subquery(
        try executed(base, .results), variable: name, try TreeReplacement(start).node(filter))
    default: return nil
    }
  }

  /// Replaces the remaining fetches, and the parts that start at known objects.
  func replacement(
    _ node: ExpressionNode, _ subqueries: TreeReplacement.Subqueries
  ) throws -> ExpressionNode? {
    switch node {
    case .fetch: return try executed(node, .values)
    // The fetches inside are executed first, so that their errors are thrown.
    case _ where node.readsKnownObjects(subqueries): return keep(value(try executed(node, .values)))
    default: return nil
    }
  }

  /// Replaces the fetches of an expression with their results.
  private func executed(
    _ node: ExpressionNode, _ form: FetchEvaluation.Form
  ) throws -> ExpressionNode {
    try TreeReplacement { part, _ in
      guard case .fetch(let request, let other, let countOnly) = part else { return nil }
      let place = (self.value(other) as? NSManagedObjectContext) ?? self.context
      let result = try FetchNesting.result(
        of: self.value(request), in: place,
        countOnly: (self.value(countOnly) as? NSNumber)?.boolValue ?? false, form)
      return self.keep(result)
    }.expression(node)
  }

  private func value(_ node: ExpressionNode) -> Any? {
    TreeEvaluation.object(of: node, arguments: arguments, variables: variables)
  }

  private func keep(_ value: Any?) -> ExpressionNode {
    arguments.append(value)
    return .argument(arguments.count - 1)
  }
}

extension ExpressionNode {
  /// Returns whether the expression is a path or a subquery that starts at arguments or variables
  /// of the predicate, and is equal for all rows.
  ///
  /// - Parameter subqueries: The subqueries that enclose the expression, whose elements differ
  ///   between rows.
  func readsKnownObjects(_ subqueries: TreeReplacement.Subqueries) -> Bool {
    switch self {
    case .path(let start, _), .subquery(let start, _, _):
      start.hasKnownObjects && !dependsOnRow(subqueries)
    default: false
    }
  }

  /// Whether a part of the expression is an argument or a variable of the predicate.
  private var hasKnownObjects: Bool {
    var found = false
    visit { part, inner in
      switch part {
      case .argument: found = true
      case .variable(let name): found = found || !inner.have(name)
      default: break
      }
    }
    return found
  }

  private func dependsOnRow(_ subqueries: TreeReplacement.Subqueries) -> Bool {
    var found = false
    visit { part, inner in
      switch part {
      case .evaluatedObject, .keyPath, .anyKey: found = true
      case .variable(let name): found = found || subqueries.have(name) && !inner.have(name)
      default: break
      }
    }
    return found
  }

  /// Whether the evaluation of a part of the expression requires objects.
  var needsValues: Bool {
    var found = false
    visit { part, subqueries in
      if case .fetch = part { found = true }
      found = found || part.readsKnownObjects(subqueries)
    }
    return found
  }

  /// Calls a function with each part of the expression, and with the subqueries inside the
  /// expression that enclose the part.
  private func visit(_ body: @escaping (ExpressionNode, TreeReplacement.Subqueries) -> Void) {
    _ = try? TreeReplacement { part, subqueries in
      body(part, subqueries)
      return nil
    }.expression(self)  // The closure never throws.
  }
}

/// Fetches inside predicates of fetches.
enum FetchNesting {
  /// The number of fetches whose predicates are being evaluated around this fetch.
  @TaskLocal private static var depth = 0
  private static let limit = 8

  /// Executes the request of a `FETCH` expression.
  ///
  /// - Throws: `StoreError` for a value that is not a request, and for fetches nested more than
  ///   eight levels deep.
  static func result(
    of request: Any?, in context: NSManagedObjectContext, countOnly: Bool,
    _ form: FetchEvaluation.Form
  ) throws -> Any {
    guard let request = request as? any RunnableRequest else {
      throw StoreError(
        .unsupportedPredicate, "FETCH needs a fetch request as its first argument.")
    }
    guard depth < limit else {
      throw StoreError(
        .unsupportedPredicate, "FETCH is nested more than \(limit) levels deep.")
    }
    let result = try $depth.withValue(depth + 1) {
      try request.result(in: context, countOnly: countOnly)
    }
    return form == .results ? result : try values(in: result, of: request)
  }

  /// Returns the result of a fetch with the values of the fetched property in place of
  /// dictionaries.
  ///
  /// - Throws: `StoreError` if the dictionaries have several values.
  private static func values(in result: Any, of request: any RunnableRequest) throws -> Any {
    guard let rows = result as? [NSDictionary], request.fetchesDictionaries else { return result }
    guard request.propertyCount == 1 else {
      throw StoreError(
        .unsupportedPredicate,
        "The dictionaries of a FETCH can be compared only if they have one value. Set the request's "
          + "propertiesToFetch to one property.")
    }
    return rows.map { $0.allValues.first ?? NSNull() }
  }

  /// Makes predicates that are evaluated in memory execute their fetches; runs once in the process.
  ///
  /// If the caller cannot receive the error of a fetch, the error is logged.
  static let installed: Void = FetchEvaluation.run { call in
    let known =
      call.context as? NSManagedObjectContext
      ?? (call.context as? NSManagedObject)?.managedObjectContext
    guard let context = known else { return nil }
    do {
      return try result(of: call.request, in: context, countOnly: call.countOnly, call.form)
    } catch {
      if !call.reportsErrors {
        GraphLog.error("The result of a FETCH expression is nil because the fetch failed: \(error)")
      }
      throw error
    }
  }
}

/// A fetch request of any result type.
private protocol RunnableRequest {
  func result(in context: NSManagedObjectContext, countOnly: Bool) throws -> Any
  var fetchesDictionaries: Bool { get }
  /// The number of properties in each dictionary; 0 for all properties of the entity.
  var propertyCount: Int { get }
}

extension NSFetchRequest: RunnableRequest {
  fileprivate var fetchesDictionaries: Bool { resultType.contains(.dictionaryResultType) }
  fileprivate var propertyCount: Int { propertiesToFetch?.count ?? 0 }

  fileprivate func result(in context: NSManagedObjectContext, countOnly: Bool) throws -> Any {
    if countOnly || resultType.contains(.countResultType) {
      return NSNumber(value: try context.count(for: self))
    }
    return try context.fetch(self) as [Any]
  }
}
