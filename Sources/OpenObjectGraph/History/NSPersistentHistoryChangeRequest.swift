public import Foundation
internal import OpenObjectModel

/// The kinds of result of a history request.
///
/// > Reference: Apple, NSPersistentHistoryResultType.
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// `true` if the request succeeded.
  case statusOnly = 0
  /// The ids of the changed objects, without duplicates.
  case objectIDs = 1
  /// The number of changes.
  case count = 2
  /// The transactions without their changes, oldest first.
  case transactionsOnly = 3
  /// The changes, oldest first.
  case changesOnly = 4
  /// The transactions with their changes, oldest first.
  case transactionsAndChanges = 5
}

/// A request that fetches or deletes a part of the histories of stores.
///
/// > Concurrency: Confined to one thread at a time. Execute the request with
/// > `NSManagedObjectContext.execute(_:)`.
/// > Reference: Apple, NSPersistentHistoryChangeRequest.
public final class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  /// The operation, and the start or end of its part of the history.
  enum Action {
    case fetch(after: Place)
    case delete(before: Place)
  }

  /// A place in the history.
  enum Place {
    case start
    case date(Date)
    case token(NSPersistentHistoryToken)
  }

  let action: Action
  /// The type of the result.
  public var resultType: NSPersistentHistoryResultType
  /// A request for transactions or for changes, depending on its entity; nil fetches all.
  ///
  /// The history request uses only the predicate, the sort descriptors, the limit and the offset.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

  private init(_ action: Action, _ resultType: NSPersistentHistoryResultType) {
    self.action = action
    self.resultType = resultType
    super.init()
  }

  /// A description of the operation and of the start or end of its part of the history.
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

  /// The token with which the request was created; nil if there is none.
  public var token: NSPersistentHistoryToken? {
    switch action {
    case .fetch(.token(let token)), .delete(.token(let token)): token
    default: nil
    }
  }

  /// Returns a request for the transactions committed after a date.
  ///
  /// - Parameter date: The date after which transactions are fetched.
  /// - Returns: The request.
  public class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.fetch(after: .date(date)), .transactionsAndChanges)
  }

  /// Returns a request for the transactions after a token.
  ///
  /// Executing the request throws `CocoaError` 134301 if a part of the history after the token was
  /// deleted.
  ///
  /// - Parameter token: The token; nil for the complete history.
  /// - Returns: The request.
  public class func fetchHistory(
    after token: NSPersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(
      .fetch(after: token.map { .token($0) } ?? .start), .transactionsAndChanges)
  }

  /// Returns a request for the transactions after a given transaction.
  ///
  /// - Parameter transaction: The transaction; nil for the complete history.
  /// - Returns: The request.
  @_disfavoredOverload
  public class func fetchHistory(
    after transaction: NSPersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest { fetchHistory(after: transaction?.token) }

  /// Returns a request for the transactions or changes that a fetch request selects.
  ///
  /// - Parameter fetchRequest: A request for the transaction entity or the change entity.
  /// - Returns: The request.
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
  /// - Returns: The request.
  public class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.delete(before: .date(date)), .statusOnly)
  }

  /// Returns a request that deletes all transactions before a token's transaction.
  ///
  /// - Parameter token: The token; nil to delete nothing.
  /// - Returns: The request.
  public class func deleteHistory(
    before token: NSPersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(
      .delete(before: token.map { .token($0) } ?? .start), .statusOnly)
  }

  /// Returns a request that deletes all transactions before a given transaction.
  ///
  /// - Parameter transaction: The transaction; nil to delete nothing.
  /// - Returns: The request.
  @_disfavoredOverload
  public class func deleteHistory(
    before transaction: NSPersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest { deleteHistory(before: transaction?.token) }
}

/// The result of a history request.
///
/// > Reference: Apple, NSPersistentHistoryResult.
public final class NSPersistentHistoryResult: NSPersistentStoreResult {
  /// `true`, object ids, a number, transactions or changes, depending on the result type.
  public let result: Any?
  /// The type of `result`.
  public let resultType: NSPersistentHistoryResultType

  init(_ result: Any?, _ type: NSPersistentHistoryResultType) {
    self.result = result
    resultType = type
  }
}
