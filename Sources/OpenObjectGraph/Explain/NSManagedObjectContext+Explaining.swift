internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

extension NSManagedObjectContext {
  /// How the context would carry a fetch out, without doing so.
  ///
  /// Works for requests of objects, ids, counts and dictionaries. Rows are only counted.
  ///
  /// - Parameters:
  ///   - request: The request as it would be passed to `fetch(_:)`.
  ///   - showsBindings: Whether the explanation has the request's values. They may be private: leave them out
  ///     of logs and bug reports.
  /// - Returns: The SQL of each store with its plan, what runs in memory and why, and what would help.
  /// - Throws: What `fetch(_:)` would throw before it reads: `PredicateFormatError`, or `CocoaError` for an
  ///   unknown entity or a predicate that does not fit the model.
  /// - Complexity: A count of the entity's rows for each store, and one of each table that would be scanned.
  /// > Concurrency: Call on the context's queue.
  ///
  /// An addition.
  public func explanation<Result>(
    of request: NSFetchRequest<Result>, showsBindings: Bool = false
  ) throws -> FetchExplanation {
    let question = try ExplainedFetch(request, in: self)
    let bindings: BindingVisibility = showsBindings ? .shown : .hidden
    var stores: [FetchExplanation.Store] = []
    var suggestions: [String] = []
    for store in question.stores {
      let explanation = try reporting {
        try store.backend.explanation(
          of: question.plan, result: question.result, bindings: bindings)
      }
      stores.append(FetchExplanation.Store(explanation, of: store, bindings))
      suggestions += explanation.suggestions.filter { !suggestions.contains($0) }
    }
    let work = question.gaps.map { FetchExplanation.MemoryWork($0, bindings) }
    return FetchExplanation(
      entityName: question.plan.shape.entity.name, stores: stores, inMemory: work,
      includesPendingChanges: question.includesPendingChanges,
      prefetchedRelationships: question.prefetching,
      suggestions: suggestions + Self.suggestions(for: work, question))
  }

  private static func suggestions(
    for work: [FetchExplanation.MemoryWork], _ question: ExplainedFetch
  ) -> [String] {
    var found: [String] = []
    if work.contains(where: { $0.kind == .predicate }) {
      let narrows = question.plan.shape.filter != nil
      found.append(
        "A part of the predicate runs in memory for every row"
          + (narrows
            ? " that the rest selects; a rest that selects fewer helps."
            : "; a condition beside it that a store can carry out would leave fewer."))
    }
    if work.contains(where: { $0.kind == .sort }) {
      found.append(
        "The order runs in memory on all objects; sort by stored properties, or sort the result.")
    }
    if question.isWindowedInMemory {
      found.append(
        question.gaps.isEmpty
          ? "The limit applies after unsaved changes or several stores are merged: every row that matches is "
            + "read. Save first, or leave unsaved changes out."
          : "The limit applies after the part in memory: every row that the stores select is read.")
    }
    return found
  }
}

/// A request worked out as far as stores are asked: their plan, and what is done with their answers.
private struct ExplainedFetch {
  var plan: FetchPlan
  var result: PlanResult
  var stores: [NSPersistentStore]
  var gaps: [FetchPlanner.Gap] = []
  var includesPendingChanges = false
  var prefetching: [String] = []
  /// Whether limit and offset apply in memory.
  var isWindowedInMemory = false

  init<Result>(_ request: NSFetchRequest<Result>, in context: NSManagedObjectContext) throws {
    if request.resultType.contains(.dictionaryResultType),
      !request.resultType.contains(.countResultType)
    {
      try self.init(dictionaries: request, in: context)
    } else {
      try self.init(objects: request, in: context)
    }
  }

  private init<Result>(
    dictionaries request: NSFetchRequest<Result>, in context: NSManagedObjectContext
  ) throws {
    stores = try context.affectedStores(of: request)
    isWindowedInMemory = stores.count > 1 && !request.window.isWhole
    let columns = try DictionaryColumns(request, context.entity(of: request))
    plan = try context.plan(
      of: request, columns,
      stores.count > 1 ? FetchWindow(limit: 0, offset: 0) : request.window)
    result = .values
  }

  private init<Result>(
    objects request: NSFetchRequest<Result>, in context: NSManagedObjectContext
  ) throws {
    let fetch = try context.prepare(request)
    plan = fetch.plan
    stores = fetch.stores
    gaps = fetch.gaps
    includesPendingChanges =
      request.includesPendingChanges
      && context.hasPendingChanges(in: plan.shape.entity, request.includesSubentities)
    isWindowedInMemory = fetch.overlays && !request.window.isWhole
    result = Self.result(of: fetch, request.resultType, in: context)
    if result == .rows { prefetching = fetch.prefetching }
  }

  /// What stores are asked for: what the request wants, or rows when objects are needed to answer it.
  private static func result(
    of fetch: NSManagedObjectContext.PreparedFetch, _ type: NSFetchRequestResultType,
    in context: NSManagedObjectContext
  ) -> PlanResult {
    if !fetch.overlays {
      if type.contains(.countResultType) { return .count }
      if type == .managedObjectIDResultType { return .keys }
    }
    return !fetch.loadsValues || context.loadsInBatches(fetch) ? .keys : .rows
  }
}

extension FetchExplanation.Store {
  fileprivate init(
    _ explanation: PlanExplanation, of store: NSPersistentStore, _ bindings: BindingVisibility
  ) {
    name = store.url?.lastPathComponent ?? store.type
    type = store.type
    sql = explanation.statement
    self.bindings = bindings == .shown ? explanation.bindings : nil
    plan = explanation.steps.map { FetchExplanation.Step($0) }
    indexes = explanation.indexes
    fullScans = explanation.fullScans.map {
      FetchExplanation.Scan(name: $0.name, rowCount: $0.rowCount)
    }
    temporaryTrees = explanation.temporaryTrees
    candidateCount = explanation.candidateCount
  }
}

extension FetchExplanation.Step {
  fileprivate init(_ step: PlanExplanation.Step) {
    text = step.text
    steps = step.steps.map { FetchExplanation.Step($0) }
  }
}

extension FetchExplanation.MemoryWork {
  fileprivate init(_ gap: FetchPlanner.Gap, _ bindings: BindingVisibility) {
    kind = gap.predicate == nil ? .sort : .predicate
    reason = gap.reason
    predicate = bindings == .shown ? gap.predicate?.canonicalFormat : nil
  }
}
