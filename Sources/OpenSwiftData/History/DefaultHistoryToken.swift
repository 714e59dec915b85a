/// A position in the histories of default stores: the number of the last transaction by store identifier.
///
/// Tokens are compared by the numbers of their common stores. A transaction of a store that is not in the other token
/// is later, because the store was added after that token was created.
///
/// > Concurrency: A value; usable on any thread.
/// > Reference: Apple, DefaultHistoryToken.
public struct DefaultHistoryToken: HistoryToken {
  public typealias TokenType = [String: Int64]

  public let tokenValue: [String: Int64]?

  init(_ numbers: [String: Int64]) { tokenValue = numbers }

  var numbers: [String: Int64] { tokenValue ?? [:] }

  public var id: [String: Int64] { numbers }

  /// The identifier of the token's store; if there are several, the first in alphabetical order.
  public var storeIdentifier: String { numbers.keys.min() ?? "" }

  /// Whether one position is before another one.
  ///
  /// Tokens without a common store are ordered by their stores' identifiers.
  ///
  /// - Returns: `true` if one position is before another one.
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
