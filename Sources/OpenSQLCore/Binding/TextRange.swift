import Foundation
package import OpenPredicates
package import OpenStoreContract

/// The range of strings that begin with a prefix.
package enum TextRange {
  /// Returns the least value that is greater than every string with a prefix.
  ///
  /// - Parameter value: The prefix: a string, or a URL. The prefix of a URL is its absolute string.
  /// - Returns: The end of the range. For the empty prefix, and for a prefix that consists only of
  ///   the greatest Unicode scalar, the end is empty data, which is greater than all strings. For
  ///   null, the end is null. For any other value that is neither a string nor a URL, the end is
  ///   "", so the range is empty.
  package static func end(of value: Value) -> SlotContent {
    let text: String
    switch value {
    case .null: return .null
    case .string(let string): text = string
    case .url(let url): text = url.absoluteString
    default: return .text("")
    }
    guard !text.isEmpty else { return .data(Data()) }
    var scalars = Array(text.unicodeScalars)
    while let last = scalars.popLast() {
      guard let next = next(after: last) else { continue }
      scalars.append(next)
      var end = String.UnicodeScalarView()
      end.append(contentsOf: scalars)
      return .text(String(end))
    }
    return .data(Data())
  }

  /// Returns the next Unicode scalar, or nil for the last one.
  private static func next(after scalar: Unicode.Scalar) -> Unicode.Scalar? {
    Unicode.Scalar(scalar.value + 1) ?? (scalar.value == 0xD7FF ? Unicode.Scalar(0xE000) : nil)
  }
}
