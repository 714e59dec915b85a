import Foundation
package import OpenPredicates
package import OpenStoreContract

/// The range of texts that begin with a given one.
package enum TextRange {
  /// The least value greater than every text that begins with the given one.
  ///
  /// - Returns: Null for null; "", which no text is less than, for anything else that is no text; empty data,
  ///   which is greater than all texts, for "".
  package static func end(of value: Value) -> SlotContent {
    guard case .string(let text) = value else { return value == .null ? .null : .text("") }
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

  /// The next scalar, whose UTF-8 bytes are greater; nil behind the last one.
  private static func next(after scalar: Unicode.Scalar) -> Unicode.Scalar? {
    Unicode.Scalar(scalar.value + 1) ?? (scalar.value == 0xD7FF ? Unicode.Scalar(0xE000) : nil)
  }
}
