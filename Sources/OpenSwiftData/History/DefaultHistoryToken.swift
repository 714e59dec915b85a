/// A position in the histories of default stores: the number of the last transaction of each store.
///
/// Two tokens are compared by the numbers of the stores that are in both tokens. A transaction of a
/// store that is missing from the other token is later, because the store was added after that
/// token was created.
///
/// > Concurrency: Any thread.
/// > Reference: Apple, DefaultHistoryToken.
public struct DefaultHistoryToken: HistoryToken {
  public typealias TokenType = [String: Int64]

  public let tokenValue: [String: Int64]?

  init(_ numbers: [String: Int64]) { tokenValue = numbers }

  var numbers: [String: Int64] { tokenValue ?? [:] }

  public var id: [String: Int64] { numbers }

  /// The identifier of the token's store. A token of several stores has the identifier that is
  /// alphabetically first.
  public var storeIdentifier: String { numbers.keys.min() ?? "" }

  /// Returns whether one token is before another token.
  ///
  /// Tokens without a common store are ordered by the identifiers of their stores.
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
