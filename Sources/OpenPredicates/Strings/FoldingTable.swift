import Foundation

/// Folding of single characters, so that most texts need no call into Foundation.
///
/// Shared: immutable. It covers Latin, Greek and Cyrillic letters, whose folding it requests from Foundation
/// for once, and Han characters, which fold to themselves. Texts with anything else, combining
/// marks above all, are left to Foundation.
package struct FoldingTable: Sendable {
  /// Behind Cyrillic; the letters before fold by themselves when no combining mark follows.
  package static let end: UInt32 = 0x0510
  private static let combiningMarks: ClosedRange<UInt32> = 0x0300...0x036F
  private static let cyrillicMarks: ClosedRange<UInt32> = 0x0483...0x0489
  private static let han: ClosedRange<UInt32> = 0x4E00...0x9FFF

  private static let ignoringCase = FoldingTable(.caseInsensitive)
  private static let ignoringDiacritics = FoldingTable(.diacriticInsensitive)
  private static let ignoringBoth = FoldingTable([.caseInsensitive, .diacriticInsensitive])

  /// Four bytes for each character below `end`: the length of its folded form in UTF-8, and the form.
  ///
  /// The length is zero where Foundation has to look at the text.
  package let forms: [UInt8]

  /// The table for options that fold; nil when folding depends on the locale or on more than that.
  package static func table(for options: StringOptions) -> FoldingTable? {
    if options.contains(.localeSensitive) { return nil }
    switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
    case (true, true): return ignoringBoth
    case (true, false): return ignoringCase
    case (false, true): return ignoringDiacritics
    case (false, false): return nil
    }
  }

  private init(_ options: StringOptions) {
    forms = (0..<Self.end).flatMap { code in
      let form = Self.form(of: code, options) ?? []
      return [UInt8(form.count)] + form + Array(repeating: 0, count: 3 - form.count)
    }
  }

  /// The folded form; nil for marks, for what folds to a text with marks, and for long forms.
  private static func form(of code: UInt32, _ options: StringOptions) -> [UInt8]? {
    guard let scalar = Unicode.Scalar(code), !combiningMarks.contains(code),
      !cyrillicMarks.contains(code)
    else { return nil }
    let folded = StringMatch.foldedByFoundation(String(Character(scalar)), options)
    if folded.unicodeScalars.contains(where: CharacterBorder.isMark) { return nil }
    return folded.utf8.count > 3 ? nil : Array(folded.utf8)
  }

  /// The folded text; nil when it has characters the table does not cover.
  func folded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 8)
    for scalar in text.unicodeScalars {
      let code = scalar.value
      if code < Self.end {
        let start = Int(code) * 4
        let count = Int(forms[start])
        if count == 0 { return nil }
        bytes.append(contentsOf: forms[start + 1...start + count])
      } else if Self.han.contains(code) {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      } else {
        return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
