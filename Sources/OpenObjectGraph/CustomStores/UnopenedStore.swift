internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The backend of a custom store before the store is open. All operations throw, except reading the
/// metadata.
///
/// > Concurrency: Has no state; usable on any thread.
final class UnopenedStore: StoreBackend {
  static let shared = UnopenedStore()

  let capabilities: StoreCapabilities = []
  let identifier = ""

  private var refusal: StoreError {
    StoreError(.closed, "The store is not open. Add it to a coordinator.")
  }

  func forEachChunk(
    matching plan: FetchPlan, _ body: (RowChunk) throws(StoreError) -> Void
  ) throws(StoreError) { throw refusal }

  func forEachKeyBatch(
    matching plan: FetchPlan, _ body: ([ObjectKey]) throws(StoreError) -> Void
  ) throws(StoreError) { throw refusal }

  func forEachResultBatch(
    matching plan: FetchPlan, _ body: ([Value]) throws(StoreError) -> Void
  ) throws(StoreError) { throw refusal }

  func count(matching plan: FetchPlan) throws(StoreError) -> Int { throw refusal }

  func explanation(
    of plan: FetchPlan, result: PlanResult, bindings: BindingVisibility
  ) throws(StoreError) -> PlanExplanation { throw refusal }

  func rows(of entity: CompiledEntity, keys: [Int64]) throws(StoreError) -> RowChunk {
    throw refusal
  }

  func destinations(
    of property: CompiledProperty, in entity: CompiledEntity, sources: [Int64]
  ) throws(StoreError) -> [[ObjectKey]] { throw refusal }

  func reserveKeys(_ counts: [Int: Int]) throws(StoreError) -> [Int: Int64] { throw refusal }

  func requireWritable() throws(StoreError) { throw refusal }

  func commit(_ changes: inout ChangeSet) throws(StoreError) -> CommitOutcome { throw refusal }

  func metadata() throws(StoreError) -> StoreMetadata { [:] }

  func close() {}
}
