import Foundation
import Synchronization

/// The compiled expressions of `MATCHES`, at most a few hundred; also remembers which are not
/// valid.
///
/// Shared: its state is in one `Mutex`, and compiled expressions are immutable.
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
  /// The longest pattern, in UTF-8 bytes.
  static let longestPattern = 65_536
  private static let entries = Mutex<[Key: Entry]>([:])

  /// The expression that fits whole texts only; nil when the pattern is not valid.
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

  /// The pattern is compiled alone first: `a)(b` is not valid, yet would be inside a group.
  ///
  /// The empty pattern is valid, though Foundation refuses it. A comment or a quotation that the
  /// pattern leaves open must not swallow the end of the group.
  private static func compile(_ key: Key) -> Entry {
    let options: NSRegularExpression.Options = key.ignoringCase ? .caseInsensitive : []
    // The reason is lost on purpose: Foundation reports none beyond "not valid".
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
