internal import OpenPredicates
internal import OpenStoreContract

extension FetchPlan {
  /// Calls `body` with the plan for one store, in which objects of other stores match none of its
  /// objects.
  ///
  /// A store identifies objects by keys, which other stores use too. A plan that has no objects of
  /// other stores is not copied.
  @inline(__always)
  func addressing<Result, Failure>(
    _ store: NSPersistentStore, _ body: (FetchPlan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard bindings.contains(where: { $0.isForeign(to: store.token) }) else {
      return try body(self)
    }
    var plan = self
    plan.bindings = bindings.map { $0.addressed(to: store.token) }
    return try body(plan)
  }
}

extension Value {
  fileprivate func isForeign(to token: UInt32) -> Bool {
    switch self {
    case .object(let reference): reference.storeToken != 0 && reference.storeToken != token
    case .list(let members): members.contains { $0.isForeign(to: token) }
    default: false
    }
  }

  fileprivate func addressed(to token: UInt32) -> Value {
    switch self {
    case .object(var reference) where isForeign(to: token):
      // No store gives this key to an object.
      reference.key = .min
      return .object(reference)
    case .list(let members): return .list(members.map { $0.addressed(to: token) })
    default: return self
    }
  }
}
