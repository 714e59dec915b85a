/// A position in the history of stores.
///
/// Later positions are greater. Keep a token, encoded, to continue reading the history where you stopped.
///
/// > Concurrency: A value; usable on any thread.
/// > Reference: Apple, HistoryToken.
public protocol HistoryToken: Comparable, Codable, Hashable, Identifiable, Sendable {
  associatedtype TokenType: Codable, Hashable, Sendable

  /// The store's representation of the position.
  var tokenValue: TokenType? { get }
  /// The identifier of the position's store.
  var storeIdentifier: String { get }
}
