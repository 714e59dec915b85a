public import Foundation

/// Turns markup of unknown origin into markup that is safe to show, by a list of the elements and attributes that are allowed.
///
/// An element that is not on the list loses its tags; one that only programs read, such as a script or a form control, is left out
/// with its content. Links lead to `http` and `https` addresses only, which do not learn where they were followed from. Parsing
/// the result gives the same result again, so that every parser reads the markup that was checked; markup for which this does
/// not hold becomes text.
///
/// A value; usable from any thread.
public struct HTMLCleaner: Sendable {
  /// What becomes of images.
  public enum Images: Sendable {
    /// A link to the image, so that nothing is loaded.
    case linked
    /// They are shown, and loaded from wherever they are.
    case shown
  }

  private let base: URL?
  private let images: Images
  private let localLink: @Sendable (URL) -> String?
  private static let attemptLimit = 4

  /// Describes how to clean.
  ///
  /// - Parameters:
  ///   - base: What relative links are relative to; nil drops them.
  ///   - images: What becomes of images.
  ///   - localLink: The path in the reader's own pages for an address, which begins with a slash; nil for all others. It is asked for
  ///     the address of such a path, relative to the base, as well, and has to give the same path.
  public init(
    base: URL? = nil, images: Images = .linked,
    localLink: @escaping @Sendable (URL) -> String? = { _ in nil }
  ) {
    self.base = base
    self.images = images
    self.localLink = localLink
  }

  /// Cleans markup.
  ///
  /// - Parameter markup: The content of an element, as it is stored.
  /// - Returns: Markup to put into a block of a page; the source as text if it cannot be parsed.
  /// - Complexity: O(*n*), two parsings at least.
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
    // Markup that the parser refuses has no tree to clean.
    guard let document = try? HTMLParser.parse("<!DOCTYPE html><body>\(markup)") else { return nil }
    var writer = CleanWriter(base: base, images: images, localLink: localLink)
    writer.write(contentsOf: document.body)
    return writer.result
  }

  private static func asText(_ markup: String) -> String {
    HTMLSerializer.escaped(String(markup.prefix(100_000)), quotes: .keep)
  }
}
