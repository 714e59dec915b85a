public import Foundation
internal import OpenObjectModel

/// The kinds of result of a history request.
///
/// > Reference: Apple, NSPersistentHistoryResultType.
public enum NSPersistentHistoryResultType: Int, Sendable {
  /// Whether it was done.
  case statusOnly = 0
  /// The ids of the changed objects, each once.
  case objectIDs = 1
  /// The number of changes.
  case count = 2
  /// Transactions without their changes.
  case transactionsOnly = 3
  /// Changes, oldest first.
  case changesOnly = 4
  /// Transactions with their changes, oldest first.
  case transactionsAndChanges = 5
}

/// Fetches or deletes a part of the histories of stores.
///
/// > Concurrency: Confined to one thread at a time; executed by `NSManagedObjectContext.execute(_:)`.
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
  /// The kind of the result.
  public var resultType: NSPersistentHistoryResultType
  /// A request for transactions or for changes, depending on its entity; nil fetches all.
  ///
  /// Only its predicate, sort descriptors, limit and offset are used.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

  private init(_ action: Action, _ resultType: NSPersistentHistoryResultType) {
    self.action = action
    self.resultType = resultType
    super.init()
  }

  /// The operation, and the start or end of its part of the history.
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

  /// The token that the request was created with.
  public var token: NSPersistentHistoryToken? {
    switch action {
    case .fetch(.token(let token)), .delete(.token(let token)): token
    default: nil
    }
  }

  /// A request for the transactions committed after a date.
  ///
  /// - Returns: The request.
  public class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.fetch(after: .date(date)), .transactionsAndChanges)
  }

  /// A request for the transactions after a token; nil for the complete history.
  ///
  /// Executing it throws 134301 if a part of the history after the token was deleted.
  ///
  /// - Returns: The request.
  public class func fetchHistory(
    after token: NSPersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(
      .fetch(after: token.map { .token($0) } ?? .start), .transactionsAndChanges)
  }

  /// A request for the transactions after a transaction; nil for the complete history.
  ///
  /// - Returns: The request.
  @_disfavoredOverload
  public class func fetchHistory(
    after transaction: NSPersistentHistoryTransaction?
  ) -> NSPersistentHistoryChangeRequest { fetchHistory(after: transaction?.token) }

  /// A request for the transactions or changes that another request describes.
  ///
  /// - Parameter fetchRequest: A request for the entity of transactions or of changes.
  /// - Returns: The request.
  public class func fetchHistory(
    withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
  ) -> NSPersistentHistoryChangeRequest {
    let request = NSPersistentHistoryChangeRequest(.fetch(after: .start), .transactionsAndChanges)
    request.fetchRequest = fetchRequest
    return request
  }

  /// A request that deletes the transactions committed before a date.
  ///
  /// - Returns: The request.
  public class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(.delete(before: .date(date)), .statusOnly)
  }

  /// A request that deletes all transactions before a token's transaction; nil deletes nothing.
  ///
  /// - Returns: The request.
  public class func deleteHistory(
    before token: NSPersistentHistoryToken?
  ) -> NSPersistentHistoryChangeRequest {
    NSPersistentHistoryChangeRequest(
      .delete(before: token.map { .token($0) } ?? .start), .statusOnly)
  }

  /// A request that deletes all transactions before a given transaction; nil deletes nothing.
  ///
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
  /// true, ids, a number, transactions or changes, depending on the result type.
  public let result: Any?
  /// The kind of `result`.
  public let resultType: NSPersistentHistoryResultType

  init(_ result: Any?, _ type: NSPersistentHistoryResultType) {
    self.result = result
    resultType = type
  }
}
