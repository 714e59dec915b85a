import Synchronization

/// Keeps parsed selectors by their text, for all threads.
///
/// Shared; the scrapers use a fixed set of selectors, so nothing is dropped until the limit, then
/// all is.
final class SelectorCache: Sendable {
  static let shared = SelectorCache()
  private static let limit = 1_000

  private let selectors = Mutex<[String: Selector]>([:])

  /// The parsed form of a selector.
  ///
  /// - Parameter text: The selector.
  /// - Returns: Its parsed form.
  /// - Throws: `PageError` with code `.malformedSelector`.
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
