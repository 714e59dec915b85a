import Foundation

/// Folding of single characters, so that most texts need no call into Foundation.
///
/// Shared: immutable. It covers Latin, Greek and Cyrillic letters, whose folding it asks Foundation
/// for once, and Han characters, which fold to themselves. Texts with anything else, combining
/// marks above all, are left to Foundation.
struct FoldingTable: Sendable {
  /// Behind Cyrillic; the letters before fold by themselves when no combining mark follows.
  private static let end: UInt32 = 0x0510
  private static let combiningMarks: ClosedRange<UInt32> = 0x0300...0x036F
  private static let cyrillicMarks: ClosedRange<UInt32> = 0x0483...0x0489
  private static let han: ClosedRange<UInt32> = 0x4E00...0x9FFF

  private static let ignoringCase = FoldingTable(.caseInsensitive)
  private static let ignoringDiacritics = FoldingTable(.diacriticInsensitive)
  private static let ignoringBoth = FoldingTable([.caseInsensitive, .diacriticInsensitive])

  /// The folded form of each character; empty where Foundation has to look at the text.
  private let forms: [[UInt8]]

  /// The table for options that fold; nil when folding depends on the locale.
  static func table(for options: StringOptions) -> FoldingTable? {
    if options.contains(.localeSensitive) { return nil }
    switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
    case (true, true): return ignoringBoth
    case (true, false): return ignoringCase
    case (false, true): return ignoringDiacritics
    case (false, false): return nil
    }
  }

  private init(_ options: StringOptions) {
    forms = (0..<Self.end).map { code in
      guard let scalar = Unicode.Scalar(code), !Self.combiningMarks.contains(code),
        !Self.cyrillicMarks.contains(code)
      else { return [] }
      return Array(StringMatch.foldedByFoundation(String(Character(scalar)), options).utf8)
    }
  }

  /// The folded text; nil when it has characters the table does not cover.
  func folded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 8)
    for scalar in text.unicodeScalars {
      let code = scalar.value
      if code < Self.end {
        let form = forms[Int(code)]
        guard !form.isEmpty else { return nil }
        if form.count == 1 { bytes.append(form[0]) } else { bytes.append(contentsOf: form) }
      } else if Self.han.contains(code) {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      } else {
        return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
