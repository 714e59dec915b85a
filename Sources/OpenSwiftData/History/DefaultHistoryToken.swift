/// A position in the histories of default stores.
///
/// For each store, a token contains the number of the last transaction before the position. The
/// token of a transaction describes the position immediately after the transaction in the list of
/// all stores' transactions, sorted by date. The comparison of two tokens considers only the stores
/// that both tokens contain.
///
/// A token does not contain a store that was added to the container after the token was created. A
/// fetch of the transactions after the token includes all transactions of this store.
///
/// > Concurrency: Any thread.
/// > Reference: Apple, DefaultHistoryToken.
public struct DefaultHistoryToken: HistoryToken {
  public typealias TokenType = [String: Int64]

  public let tokenValue: [String: Int64]?

  init(_ numbers: [String: Int64]) { tokenValue = numbers }

  var numbers: [String: Int64] { tokenValue ?? [:] }

  public var id: [String: Int64] { numbers }

  /// The identifier of the token's store. If the token contains several stores, the value is the
  /// identifier that is first in alphabetical order. If the token contains no store, the value is
  /// empty.
  public var storeIdentifier: String { numbers.keys.min() ?? "" }

  /// Returns whether a token describes an earlier position than another token.
  ///
  /// The operator compares the numbers of the stores that both tokens contain. The result is true
  /// if at least one number is less than the number in the other token, and no number is greater.
  /// If no store is in both tokens, the operator compares the values of ``storeIdentifier``.
  public static func < (one: DefaultHistoryToken, other: DefaultHistoryToken) -> Bool {
    let (numbers, others) = (one.numbers, other.numbers)
    var isBefore = false
    var isCommon = false
    for (store, number) in numbers {
      guard let otherNumber = others[store] else { continue }
      isCommon = true
      if number > otherNumber { return false }
      if number < otherNumber { isBefore = true }
    }
    return isCommon ? isBefore : one.storeIdentifier < other.storeIdentifier
  }
}
