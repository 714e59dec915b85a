/// A position in the history of one or more stores.
///
/// A later position is greater than an earlier position. To continue reading the history in a later
/// launch, encode and save the token of the last transaction.
///
/// > Concurrency: Any thread.
/// > Reference: Apple, HistoryToken.
public protocol HistoryToken: Comparable, Codable, Hashable, Identifiable, Sendable {
  associatedtype TokenType: Codable, Hashable, Sendable

  /// The position in the form that the store uses.
  var tokenValue: TokenType? { get }
  /// The identifier of the store that the position belongs to.
  var storeIdentifier: String { get }
}
