internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The transactions or changes that a history request selects.
///
/// The predicate is evaluated in memory, according to the rules that stores use.
struct HistorySelection {
  private let predicate: NSPredicate?
  private let sortDescriptors: [NSSortDescriptor]
  private let window: FetchWindow
  /// Whether the request selects changes rather than transactions.
  let isOfChanges: Bool
  /// Whether the selection depends on the changes of the transactions.
  let needsChanges: Bool

  /// Creates the selection of a request.
  ///
  /// - Throws: `CocoaError` 134060 if the entity is neither the transaction entity nor the change
  ///   entity, or if the predicate or a sort descriptor has an unknown key; `CocoaError` 134301 for
  ///   a predicate with the token of an empty history.
  init(_ request: NSFetchRequest<any NSFetchRequestResult>?) throws {
    predicate = request?.predicate
    sortDescriptors = request?.sortDescriptors ?? []
    window = request?.window ?? FetchWindow(limit: 0, offset: 0)
    let name = request?.entityName
    isOfChanges = name == HistoryEntities.changeName
    guard request == nil || isOfChanges || name == HistoryEntities.transactionName else {
      throw CocoaError.make(
        .coreData,
        "The entity of a history fetch request must be that of NSPersistentHistoryTransaction or "
          + "NSPersistentHistoryChange. The entity of this request is \(name ?? "missing").")
    }
    let entity = isOfChanges ? HistoryEntities.changeName : HistoryEntities.transactionName
    var readsChanges = isOfChanges
    if let predicate, try Self.check(predicate.form, of: entity) { readsChanges = true }
    for descriptor in sortDescriptors {
      guard case .key(let key) = descriptor.sortKey else {
        readsChanges = true
        continue
      }
      let path = key.split(separator: ".").map(String.init)
      try Self.check(path, of: entity)
      if Self.mayReadChanges(path) { readsChanges = true }
    }
    needsChanges = readsChanges
  }

  /// Whether a key path may lead to the changes of a transaction.
  private static func mayReadChanges(_ path: [String]) -> Bool {
    path.contains { HistoryEntities.destinations[$0] == HistoryEntities.changeName }
      || path.allSatisfy { $0.uppercased() == "SELF" }
  }

  /// The number of transactions from the start of the history that the selection depends on; nil
  /// for no limit.
  ///
  /// The number applies only to the history of a single store.
  var reach: Int? {
    guard !isOfChanges, predicate == nil, sortDescriptors.isEmpty, window.limit > 0 else {
      return nil
    }
    let (sum, overflows) = max(0, window.offset).addingReportingOverflow(window.limit)
    return overflows ? nil : sum
  }

  /// Throws if a predicate contains a key that transactions or changes do not have.
  ///
  /// - Returns: Whether evaluating the predicate may read the changes of transactions.
  private static func check(_ form: PredicateForm, of entity: String) throws -> Bool {
    switch form {
    case .template(let template, let arguments, let variables):
      var readsChanges = false
      _ = try TreeReplacement { node, subqueries in
        switch node {
        case .evaluatedObject, .anyKey: readsChanges = true
        case .keyPath(let path):
          try Self.check(path, of: entity)
          if Self.mayReadChanges(path) { readsChanges = true }
        case .path(let base, let path):
          if Self.mayReadChanges(path) { readsChanges = true }
          // An operator may follow a subquery, which is a collection.
          if case .subquery = base, path.first?.hasPrefix("@") == true { break }
          let owner = Self.destination(of: base, from: entity, subqueries)
          if let owner { try Self.check(path, of: owner) }
        default: break
        }
        return nil
      }.node(template.root)
      for value in arguments + variables.values.map({ Optional($0) }) {
        guard let token = value as? NSPersistentHistoryToken, token.isInitial else { continue }
        throw CocoaError.make(
          .persistentHistoryTokenExpired,
          "The token of an empty history cannot be used in a predicate. Use fetchHistory(after:).")
      }
      return readsChanges
    case .compound(_, let parts):
      return try parts.map { try check($0, of: entity) }.contains(true)
    case .invalid(let error): throw error
    case .constant: return false
    case .block, .memory: return true
    }
  }

  /// Throws if a key path contains a key that transactions or changes do not have.
  private static func check(_ path: [String], of entity: String) throws {
    var owner = entity
    var isFirst = true
    for key in path where key.uppercased() != "SELF" {
      // An operator, as in `changes.@count`, follows a collection.
      if !isFirst, key.hasPrefix("@") { return }
      isFirst = false
      guard HistoryEntities.keys[owner]?.contains(key) == true else {
        throw CocoaError.make(
          StoreError(
            .unsupportedPredicate,
            "keypath \(path.joined(separator: ".")) not found in entity \(entity).",
            entityName: entity, propertyName: key))
      }
      guard let destination = HistoryEntities.destinations[key] else { return }
      owner = destination
    }
  }

  /// Returns the name of the entity of the objects to which an expression leads; nil if it does not
  /// lead to transactions or changes.
  private static func destination(
    of node: ExpressionNode, from entity: String, _ subqueries: TreeReplacement.Subqueries
  ) -> String? {
    let (owner, path): (String?, [String])
    switch node {
    case .evaluatedObject: (owner, path) = (entity, [])
    case .keyPath(let keys): (owner, path) = (entity, keys)
    case .path(let base, let keys):
      (owner, path) = (destination(of: base, from: entity, subqueries), keys)
    case .subquery(let base, _, _), .index(let base, _), .first(let base), .last(let base):
      (owner, path) = (destination(of: base, from: entity, subqueries), [])
    case .variable(let name):
      guard let (collection, around) = subqueries.collection(of: name) else { return nil }
      (owner, path) = (destination(of: collection, from: entity, around), [])
    default: return nil
    }
    let steps = path.filter { $0.uppercased() != "SELF" }
    guard let last = steps.last else { return owner }
    return owner.flatMap { _ in HistoryEntities.destinations[last] }
  }

  /// Returns the selected transactions; all transactions if the request selects changes.
  func apply(
    to transactions: [NSPersistentHistoryTransaction]
  ) throws -> [NSPersistentHistoryTransaction] {
    try isOfChanges
      ? transactions
      : window.apply(
        transactions.filter(isWanted).sorted(by: sortDescriptors))
  }

  /// Returns the selected changes; all changes if the request selects transactions.
  func apply(to changes: [NSPersistentHistoryChange]) throws -> [NSPersistentHistoryChange] {
    try isOfChanges
      ? window.apply(changes.filter(isWanted).sorted(by: sortDescriptors)) : changes
  }

  /// - Throws: `CocoaError` 134060 if the predicate cannot be evaluated for the object.
  private func isWanted(_ object: NSObject) throws -> Bool {
    guard let predicate else { return true }
    do throws(PredicateEvaluationError) {
      return try predicate.meaningInStores(for: object) == true
    } catch {
      let name = isOfChanges ? HistoryEntities.changeName : HistoryEntities.transactionName
      throw CocoaError.make(StoreError.unevaluated(error, entityName: name))
    }
  }
}
