import Synchronization

/// A cache of parsed selectors by their text, shared by all threads.
///
/// The scrapers use a fixed set of selectors, so the cache keeps every selector until it reaches its limit, and then removes all.
final class SelectorCache: Sendable {
  static let shared = SelectorCache()
  private static let limit = 1_000

  private let selectors = Mutex<[String: Selector]>([:])

  /// Returns the parsed form of a selector.
  ///
  /// - Parameter text: The selector.
  /// - Returns: The parsed selector.
  /// - Throws: `PageError` with code `.malformedSelector` if the selector cannot be parsed.
  func selector(for text: String) throws(PageError) -> Selector {
    if let known = selectors.withLock({ $0[text] }) { return known }
    let parsed = try SelectorParser.parse(text)
    selectors.withLock { selectors in
      if selectors.count >= Self.limit { selectors.removeAll() }
      selectors[text] = parsed
    }
    return parsed
  }
}
