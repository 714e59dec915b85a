/// A place in the history of stores: after a transaction of each.
///
/// Later places are greater. Keep a token, encoded, to continue reading the history where you stopped.
///
/// > Concurrency: A value; usable on any thread.
/// > Reference: Apple, HistoryToken.
public protocol HistoryToken: Comparable, Codable, Hashable, Identifiable, Sendable {
  associatedtype TokenType: Codable, Hashable, Sendable

  /// What the store keeps of the place.
  var tokenValue: TokenType? { get }
  /// The identifier of the store whose place it is.
  var storeIdentifier: String { get }
}
