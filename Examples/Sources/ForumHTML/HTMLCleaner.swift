public import Foundation

/// Converts untrusted markup to markup that is safe to display, with an allow-list of elements and attributes.
///
/// An element that is not on the list loses its tags; an element without readable content, such as a script or a form control, is
/// removed with its content. Links lead only to `http` and `https` addresses, which do not receive the referring address. Parsing
/// the result produces the same result again, so that every parser reads the markup that was checked; markup that does not
/// stabilize becomes text.
///
/// A value; usable from any thread.
public struct HTMLCleaner: Sendable {
  /// The treatment of images.
  public enum Images: Sendable {
    /// Images become links, so that nothing is loaded.
    case linked
    /// Images are shown, and loaded from their own addresses.
    case shown
  }

  private let base: URL?
  private let images: Images
  private let localLink: @Sendable (URL) -> String?
  private static let attemptLimit = 4

  /// Creates a cleaner.
  ///
  /// - Parameters:
  ///   - base: The address that relative links are resolved against; nil drops relative links.
  ///   - images: The treatment of images.
  ///   - localLink: Returns the path in the reader's own pages for an address, which begins with a slash; nil for any other address.
  ///     The cleaner also passes the address of such a path, resolved against `base`, and the closure must return the same path.
  public init(
    base: URL? = nil, images: Images = .linked,
    localLink: @escaping @Sendable (URL) -> String? = { _ in nil }
  ) {
    self.base = base
    self.images = images
    self.localLink = localLink
  }

  /// Returns safe markup for untrusted markup.
  ///
  /// - Parameter markup: The content of an element, as stored.
  /// - Returns: Markup for a block of a page; the source as text if it cannot be parsed.
  /// - Complexity: O(*n*), with at least two parsing passes.
  public func clean(_ markup: String) -> String {
    guard let first = once(markup) else { return Self.asText(markup) }
    var result = first
    for _ in 0..<Self.attemptLimit {
      guard let next = once(result) else { return Self.asText(markup) }
      if next == result { return result }
      result = next
    }
    return Self.asText(markup)
  }

  private func once(_ markup: String) -> String? {
    if markup.isEmpty { return "" }
    // Markup that the parser rejects has no tree to clean.
    guard let document = try? HTMLParser.parse("<!DOCTYPE html><body>\(markup)") else { return nil }
    var writer = CleanWriter(base: base, images: images, localLink: localLink)
    writer.write(contentsOf: document.body)
    return writer.result
  }

  private static func asText(_ markup: String) -> String {
    HTMLSerializer.escaped(String(markup.prefix(100_000)), quotes: .keep)
  }
}
