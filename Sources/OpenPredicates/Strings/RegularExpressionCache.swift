import Foundation
import Synchronization

/// The compiled expressions of `MATCHES`, at most a few hundred; also remembers which are not
/// valid.
///
/// Shared: its state is in one `Mutex`, and compiled expressions are immutable.
enum RegularExpressionCache {
  private struct Key: Hashable {
    let pattern: String
    let ignoringCase: Bool
  }

  private enum Entry {
    case compiled(NSRegularExpression)
    case invalid
  }

  private static let limit = 256
  private static let entries = Mutex<[Key: Entry]>([:])

  /// The expression that fits whole texts only; nil when the pattern is not valid.
  static func expression(for pattern: String, ignoringCase: Bool) -> NSRegularExpression? {
    let key = Key(pattern: pattern, ignoringCase: ignoringCase)
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
  private static func compile(_ key: Key) -> Entry {
    let options: NSRegularExpression.Options = key.ignoringCase ? .caseInsensitive : []
    // The reason is lost on purpose: Foundation reports none beyond "not valid".
    guard (try? NSRegularExpression(pattern: key.pattern, options: options)) != nil,
      let whole = try? NSRegularExpression(pattern: "\\A(?:\(key.pattern))\\z", options: options)
    else { return .invalid }
    return .compiled(whole)
  }
}
