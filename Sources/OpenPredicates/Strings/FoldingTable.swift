import Foundation

/// A table of the folded forms of single characters. With the table, the library folds most strings
/// without calling Foundation.
///
/// The table is immutable, and any thread may use it. The table covers Latin, Greek and Cyrillic
/// letters; Foundation folds each of these letters once, when the table is created. Han characters
/// fold to themselves. Foundation folds strings with other characters, in particular with combining
/// marks.
package struct FoldingTable: Sendable {
  /// The first code point after the table, which ends with the Cyrillic letters. Letters below this
  /// code point fold independently if no combining mark follows.
  package static let end: UInt32 = 0x0510
  private static let combiningMarks: ClosedRange<UInt32> = 0x0300...0x036F
  private static let cyrillicMarks: ClosedRange<UInt32> = 0x0483...0x0489
  private static let han: ClosedRange<UInt32> = 0x4E00...0x9FFF

  private static let ignoringCase = FoldingTable(.caseInsensitive)
  private static let ignoringDiacritics = FoldingTable(.diacriticInsensitive)
  private static let ignoringBoth = FoldingTable([.caseInsensitive, .diacriticInsensitive])

  /// Four bytes for each character below `end`: the length of its folded form in UTF-8, and the
  /// folded form.
  ///
  /// The length is zero for characters that Foundation must fold.
  package let forms: [UInt8]

  /// Returns the table for folding options; nil if folding depends on the locale, or if the options
  /// ignore neither case nor diacritics.
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

  /// Returns the folded form; nil for marks, for characters whose folded form has marks, and for
  /// long forms.
  private static func form(of code: UInt32, _ options: StringOptions) -> [UInt8]? {
    guard let scalar = Unicode.Scalar(code), !combiningMarks.contains(code),
      !cyrillicMarks.contains(code)
    else { return nil }
    let folded = StringMatch.foldedByFoundation(String(Character(scalar)), options)
    if folded.unicodeScalars.contains(where: CharacterBorder.isMark) { return nil }
    return folded.utf8.count > 3 ? nil : Array(folded.utf8)
  }

  /// Returns the folded string; nil if the table does not cover all characters.
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
