/// A position in the histories of one or more stores.
///
/// The token of a later position is greater than the token of an earlier position. To continue
/// reading the history when the program runs again, encode and save the token of the last
/// transaction that you read.
///
/// > Concurrency: Usable on any thread.
/// > Reference: Apple, HistoryToken.
public protocol HistoryToken: Comparable, Codable, Hashable, Identifiable, Sendable {
  associatedtype TokenType: Codable, Hashable, Sendable

  /// The position in the format of the store; `nil` if the token contains no position.
  var tokenValue: TokenType? { get }
  /// The identifier of the store whose history contains the position.
  var storeIdentifier: String { get }
}
