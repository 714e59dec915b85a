import Foundation
import OpenPredicates

/// A test that parses one input, writes it, parses it again and evaluates it.
///
/// A finding is a trap, a timeout, or a predicate that differs from the predicate parsed from its
/// text.
struct FormatTest {
  /// The byte that ends the format; UTF-8 text never contains it. The following bytes select
  /// arguments.
  private static let separator = UInt8(0xFF)

  let format: String
  let arguments: [Any]

  init(bytes: [UInt8]) {
    let end = bytes.lastIndex(of: Self.separator)
    format = String(decoding: bytes[..<(end ?? bytes.count)], as: UTF8.self)
    let selectors = end.map { bytes[($0 + 1)...] } ?? []
    let values = SampleValues.all
    arguments = (0..<16).map { place in
      let selector = place < selectors.count ? Int(selectors[selectors.startIndex + place]) : place
      return values[selector % values.count]
    }
  }

  func run() {
    let predicate = NSPredicate(format: format, argumentArray: arguments)
    guard isParsed(predicate) else { return }
    checkRoundTrip(predicate)
    _ = predicate.evaluate(with: SampleValues.object)
    _ = predicate.withSubstitutionVariables(["x": 1, "y": "b"])
      .evaluate(with: SampleValues.object)
  }

  private func isParsed(_ predicate: NSPredicate) -> Bool {
    if case .invalid = predicate.form { return false }
    return true
  }

  private func checkRoundTrip(_ predicate: NSPredicate) {
    let text = predicate.canonicalFormat
    do throws(PredicateFormatError) {
      let second = try NSPredicate.parsing(text)
      precondition(second.hasSameMeaning(as: predicate), "“\(text)” has another tree")
      precondition(second.canonicalFormat == text, "“\(text)” is written differently")
    } catch {
      preconditionFailure("“\(text)” cannot be read: \(error)")
    }
  }
}

/// The values from which inputs choose their arguments, and the object that evaluation uses.
enum SampleValues {
  nonisolated(unsafe) static let all: [Any] = [
    "a", 1, "b.c", 2.5, "size", true, NSNull(), Date(timeIntervalSinceReferenceDate: 0.1),
    Data([1, 2]), UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
    [1, 2, 3], ["x", "y"] as NSArray, Set(["x"]), NSOrderedSet(array: [1, 2]), Double.nan,
    Double.infinity, Int64.min, UInt64.max, NSDecimalNumber(string: "1.5"), "é", "@count", "SELF.a",
    [Any](), [[1], [2]], URL(fileURLWithPath: "/a b"), "first name", -1, -0.0, "", "(a+)+$",
    NSDecimalNumber.notANumber, [1, "x", Double.nan] as [Any],
  ]

  nonisolated(unsafe) static let object: [String: Any] = [
    "a": 1, "b": ["c": "text", "d": [1, 2, 3]], "c": [1, 2, 3], "d": "Été", "e": NSNull(),
    "f": 2.5, "g": true, "size": 3, "pages": [["n": 1], ["n": 2], ["n": 3]], "name": "aaaaaaaaaaaa",
  ]
}
