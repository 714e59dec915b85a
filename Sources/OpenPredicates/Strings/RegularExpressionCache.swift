import Foundation
import Synchronization

/// The compiled regular expressions of `MATCHES`, at most a few hundred, and the invalid patterns.
///
/// The cache is in a `Mutex`, and compiled expressions are immutable.
enum RegularExpressionCache {
  private struct Key: Hashable {
    let pattern: ExactText
    let ignoringCase: Bool
  }

  private enum Entry {
    case compiled(NSRegularExpression)
    case invalid
  }

  private static let limit = 256
  /// The maximum length of a pattern, in UTF-8 bytes.
  static let longestPattern = 65_536
  private static let entries = Mutex<[Key: Entry]>([:])

  /// Returns an expression that matches only whole strings; nil if the pattern is invalid.
  static func expression(for pattern: String, ignoringCase: Bool) -> NSRegularExpression? {
    let key = Key(pattern: ExactText(pattern), ignoringCase: ignoringCase)
    let entry = entries.withLock { $0[key] } ?? add(key)
    guard case .compiled(let expression) = entry else { return nil }
    return expression
  }

  private static func add(_ key: Key) -> Entry {
    let entry = compile(key)
    entries.withLock { entries in
      if entries.count >= limit { entries.removeAll(keepingCapacity: true) }
      entries[key] = entry
    }
    return entry
  }

  /// Compiles a pattern.
  ///
  /// The pattern is first compiled alone, because `a)(b` is invalid but would be valid inside a
  /// group. The empty pattern is valid, although Foundation rejects it. An open comment or
  /// quotation in the pattern must not include the end of the group.
  private static func compile(_ key: Key) -> Entry {
    let options: NSRegularExpression.Options = key.ignoringCase ? .caseInsensitive : []
    // The reason is deliberately ignored: Foundation reports none beyond "not valid".
    let pattern = key.pattern.text
    guard pattern.utf8.count <= longestPattern,
      pattern.isEmpty || (try? NSRegularExpression(pattern: pattern, options: options)) != nil
    else { return .invalid }
    for closing in ["", "\n", "\\E"] {
      let whole = "\\A(?:\(pattern)\(closing))\\z"
      if let expression = try? NSRegularExpression(pattern: whole, options: options) {
        return .compiled(expression)
      }
    }
    return .invalid
  }
}
