public import Foundation
internal import OpenObjectModel

/// The types of result that a history request can return.
///
/// A request that deletes transactions returns a number for `count`, and `true` for any other
/// result type.
///
/// > Reference: Apple, NSPersistentHistoryResultType.
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// The Boolean value `true`; a request that fails throws an error instead.
  case statusOnly = 0
  /// The ids of the changed objects, without duplicates.
  case objectIDs = 1
  /// The number of changes; for a request that deletes, the number of deleted transactions.
  case count = 2
  /// The transactions without their changes. The oldest transaction comes first unless the fetch
  /// request specifies a sort order.
  case transactionsOnly = 3
  /// The changes. The oldest change comes first unless the fetch request specifies a sort order.
  case changesOnly = 4
  /// The transactions with their changes. The oldest transaction comes first unless the fetch
  /// request specifies a sort order.
  case transactionsAndChanges = 5
}

/// A request that fetches or deletes a part of the persistent history of one or more stores.
///
/// If none of the stores records history, executing the request throws `CocoaError` 134091. If a
/// request deletes history and a store is open for reading only, executing the request throws
/// `CocoaError` 134030.
///
/// > Concurrency: Confined to one thread at a time. Execute the request with
/// > `NSManagedObjectContext.execute(_:)`.
/// > Reference: Apple, NSPersistentHistoryChangeRequest.
public final class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  /// The operation of a request, and the start or end of its part of the history.
  enum Action {
    case fetch(after: Place)
    case delete(before: Place)
  }

  /// A position in the history.
  enum Place {
    case start
    case date(Date)
    case token(NSPersistentHistoryToken)
  }

  let action: Action
  /// The type of result that the request returns.
  public var resultType: NSPersistentHistoryResultType
  /// A fetch request that selects transactions or changes, depending on its entity.
  ///
  /// If the value is nil, the history request includes every transaction and change in its part of
  /// the history.
  ///
  /// The history request uses only the entity, the predicate, the sort descriptors, the limit and
  /// the offset of the fetch request.
  ///
  /// A request that deletes history deletes only the selected transactions. Executing the request
  /// throws `CocoaError` 134060 and deletes nothing if the fetch request's entity is the change
  /// entity, or if the selected transactions are not the oldest transactions of their store.
  ///
  /// > Reference: Apple, fetchRequest. Differs: D-450.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

  private init(_ action: Action, _ resultType: NSPersistentHistoryResultType) {
    self.action = action
    self.resultType = resultType
    super.init()
  }

  /// A description with the operation, and with the position in the history where the request
  /// starts or ends.
  public override var description: String {
    let (action, place) =
      switch action {
      case .fetch(let place): ("fetch after", place)
      case .delete(let place): ("delete before", place)
      }
    let text =
      switch place {
      case .start: "the start"
      case .date(let date): DebugText.short(date)
      case .token(let token): token.description
      }
    return DebugText.text(of: self, ["action": DebugText.Verbatim("\(action) \(text)")])
  }

  /// The token with which the request was created; nil if the request was created without a token.
  public var token: NSPersistentHistoryToken? {
    switch action {
    case .fetch(.token(let token)), .delete(.token(let token)): token
    default: nil
    }
  }

  /// Returns a request that fetches the transactions committed after a date.
  ///
  /// - Parameter date: The date after which transactions are fetched.
  /// - Returns: A request for transactions with their changes.
  public class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.fetch(after: .date(date)), .transactionsAndChanges)
  }

  /// Returns a request that fetches the transactions after a token.
  ///
  /// Executing the request throws `CocoaError` 134301 if transactions after the token were deleted,
  /// or if the token is newer than the history of its store. The error is the same if the token
  /// refers only to stores that the coordinator does not have.
  ///
  /// - Parameter token: The token; nil to fetch the complete history.
  /// - Returns: A request for transactions with their changes.
  public class func fetchHistory(
    after token: NSPersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(
      .fetch(after: token.map { .token($0) } ?? .start), .transactionsAndChanges)
  }

  /// Returns a request that fetches the transactions after a given transaction.
  ///
  /// The request is equivalent to a request with the transaction's
  /// ``NSPersistentHistoryTransaction/token``.
  ///
  /// - Parameter transaction: The transaction; nil to fetch the complete history.
  /// - Returns: A request for transactions with their changes.
  @_disfavoredOverload
  public class func fetchHistory(
    after transaction: NSPersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest { fetchHistory(after: transaction?.token) }

  /// Returns a request that fetches the transactions or changes that a fetch request selects.
  ///
  /// - Parameter fetchRequest: A request for the transaction entity or the change entity. For any
  ///   other entity, and for an unknown key in the predicate or in a sort descriptor, executing the
  ///   history request throws `CocoaError` 134060. For a predicate with the token of an empty
  ///   history, the error is `CocoaError` 134301.
  /// - Returns: A request for transactions with their changes.
  public class func fetchHistory(
    withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
  ) -> NSPersistentHistoryChangeRequest {
    let request = NSPersistentHistoryChangeRequest(.fetch(after: .start), .transactionsAndChanges)
    request.fetchRequest = fetchRequest
    return request
  }

  /// Returns a request that deletes the transactions committed before a date.
  ///
  /// - Parameter date: The date before which transactions are deleted.
  /// - Returns: A request with the result type `statusOnly`.
  public class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.delete(before: .date(date)), .statusOnly)
  }

  /// Returns a request that deletes the transactions before a token's transaction.
  ///
  /// The transaction of the token remains. The request does not change stores that the token does
  /// not contain.
  ///
  /// - Parameter token: The token; nil to delete nothing.
  /// - Returns: A request with the result type `statusOnly`.
  public class func deleteHistory(
    before token: NSPersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(
      .delete(before: token.map { .token($0) } ?? .start), .statusOnly)
  }

  /// Returns a request that deletes the transactions before a given transaction.
  ///
  /// The given transaction remains.
  ///
  /// - Parameter transaction: The transaction; nil to delete nothing.
  /// - Returns: A request with the result type `statusOnly`.
  @_disfavoredOverload
  public class func deleteHistory(
    before transaction: NSPersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest { deleteHistory(before: transaction?.token) }
}

/// The result of a history request.
///
/// > Reference: Apple, NSPersistentHistoryResult.
open class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// The result of the request; nil if the object was created with ``init()``.
  ///
  /// Depending on ``resultType``, the result is a Boolean value, an array of object ids, a number,
  /// an array of transactions or an array of changes.
  open private(set) var result: Any?
  /// The type of ``result``, which is the result type of the request.
  open private(set) var resultType: NSPersistentHistoryResultType

  /// Creates a result object whose ``result`` is nil and whose ``resultType`` is `.statusOnly`.
  public override init() {
    resultType = .statusOnly
    super.init()
  }

  init(_ result: Any?, _ type: NSPersistentHistoryResultType) {
    self.result = result
    resultType = type
  }
}
