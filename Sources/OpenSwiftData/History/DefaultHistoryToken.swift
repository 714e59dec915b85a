/// A position in the histories of default stores.
///
/// A token contains the number of the last transaction of each store. Comparing two tokens compares
/// the numbers of the stores that both tokens contain. A fetch of the transactions after a token
/// includes all transactions of a store that the token does not contain, because the store was
/// added later.
///
/// > Concurrency: Any thread.
/// > Reference: Apple, DefaultHistoryToken.
public struct DefaultHistoryToken: HistoryToken {
  public typealias TokenType = [String: Int64]

  public let tokenValue: [String: Int64]?

  init(_ numbers: [String: Int64]) { tokenValue = numbers }

  var numbers: [String: Int64] { tokenValue ?? [:] }

  public var id: [String: Int64] { numbers }

  /// The identifier of the token's store. For a token of several stores, the property is the
  /// alphabetically first identifier.
  public var storeIdentifier: String { numbers.keys.min() ?? "" }

  /// Returns whether one token is before another token.
  ///
  /// Two tokens without a common store are compared by ``storeIdentifier``.
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
