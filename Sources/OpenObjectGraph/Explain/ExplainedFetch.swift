internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// A prepared request together with how it would be executed.
///
/// An instance explains one request, which it prepares in the same way as a fetch.
///
/// > Concurrency: Confined to the context's queue.
struct ExplainedFetch {
  private let context: NSManagedObjectContext
  private let plan: FetchPlan
  private let result: PlanResult
  private let stores: [NSPersistentStore]
  private var gaps: [FetchPlanner.Gap] = []
  private var includesPendingChanges = false
  private var prefetching: [String] = []
  /// Whether the limit and the offset apply in memory.
  private let isWindowedInMemory: Bool

  /// - Parameter query: The query that ranks the result; nil for the order of the request.
  init<Result>(
    _ request: NSFetchRequest<Result>, rankedBy query: TextQuery?,
    in context: NSManagedObjectContext
  ) throws {
    let type = request.resultType
    if query == nil, type.contains(.dictionaryResultType), !type.contains(.countResultType) {
      self.init(try ValueFetch(request, in: context), in: context)
    } else {
      self.init(try PreparedFetch(request, rankedBy: query, in: context), type, in: context)
    }
  }

  private init(_ fetch: ValueFetch, in context: NSManagedObjectContext) {
    self.context = context
    plan = fetch.plan
    stores = fetch.stores
    isWindowedInMemory = fetch.isWindowedInMemory
    result = .values
  }

  private init(
    _ fetch: PreparedFetch, _ type: NSFetchRequestResultType, in context: NSManagedObjectContext
  ) {
    self.context = context
    plan = fetch.plan
    stores = fetch.stores
    gaps = fetch.gaps
    includesPendingChanges = fetch.includesPendingChanges
    isWindowedInMemory = fetch.overlays && !fetch.window.isWhole
    result = Self.result(of: fetch, type)
    if result == .rows { prefetching = fetch.prefetching }
  }

  /// The kind of result that the plan requests from the stores: rows if the context needs objects
  /// to execute the request.
  private static func result(
    of fetch: PreparedFetch, _ type: NSFetchRequestResultType
  ) -> PlanResult {
    if !fetch.overlays {
      if type.contains(.countResultType) { return .count }
      if type == .managedObjectIDResultType { return .keys }
    }
    return fetch.readsKeysOnly ? .keys : .rows
  }

  /// Returns how the stores and the context would execute the request.
  func explanation(_ bindings: BindingVisibility) throws -> FetchExplanation {
    var stores: [FetchExplanation.Store] = []
    var suggestions: [String] = []
    for store in self.stores {
      let explanation = try surfacingErrors {
        try store.backend.explanation(of: plan, result: result, bindings: bindings)
      }
      stores.append(FetchExplanation.Store(explanation, of: store, bindings))
      suggestions += explanation.suggestions.filter { !suggestions.contains($0) }
    }
    let work = gaps.map { FetchExplanation.MemoryWork($0, bindings) }
    return FetchExplanation(
      entityName: plan.shape.entity.name, stores: stores, inMemory: work,
      includesPendingChanges: includesPendingChanges, prefetchedRelationships: prefetching,
      suggestions: suggestions + self.suggestions(for: work))
  }

  private func suggestions(for work: [FetchExplanation.MemoryWork]) -> [String] {
    var found: [String] = []
    if work.contains(where: { $0.kind == .predicate }) {
      let narrows = plan.shape.filter != nil
      found.append(
        "Part of the predicate is evaluated in memory for every row"
          + (narrows
            ? " that matches the other conditions. Make the other conditions more selective."
            : ". Add a condition that the store can evaluate."))
    }
    if work.contains(where: { $0.kind == .sort }) {
      found.append(
        "All objects are sorted in memory. Sort by stored properties, or sort the fetched objects.")
    }
    if isWindowedInMemory {
      found.append(
        gaps.isEmpty
          ? "The limit applies after unsaved changes or the results of several stores are merged, so every "
            + "matching row is read. Save first, or set includesPendingChanges to false."
          : "The limit applies after the evaluation in memory, so every row that the stores return is read."
      )
    }
    return found
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
