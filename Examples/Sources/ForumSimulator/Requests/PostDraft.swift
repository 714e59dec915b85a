import Foundation

/// What a person has entered in a form for a post.
struct PostDraft {
  static let longestMessage = 50_000
  static let longestSubject = 75

  var subject = ""
  /// The icon chosen, zero for none; -1 for a value that is no number.
  var iconID = 0
  /// The second icon chosen; `nil` without, -1 for a value that is no number.
  var secondIconID: Int?
  var message = ""
  /// The names of the checked boxes.
  var boxes: Set<String> = ["parseurl", "bookmark"]

  init() {}

  /// Reads a form that was sent.
  init(_ request: SiteRequest) {
    subject = Self.line(request.form["subject"])
    iconID = request.form["iconid"].map { Int($0) ?? -1 } ?? 0
    secondIconID = request.form[SecondIconRow.field].map { Int($0) ?? -1 }
    message = Self.normalized(request.form["message"])
    boxes = Set(request.form.filter { $0.value == "yes" }.keys)
  }

  /// A text of one line, without white space at its ends.
  static func line(_ text: String?) -> String {
    normalized(text).replacing("\n", with: " ").trimmingCharacters(in: .whitespaces)
  }

  /// A text with line feeds as line ends and without control characters.
  static func normalized(_ text: String?) -> String {
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in (text ?? "").unicodeScalars {
      if scalar == "\r" || (scalar == "\n" && previous != "\r") {
        result.append("\n")
      } else if scalar == "\t" || scalar.properties.generalCategory != .control {
        result.append(scalar)
      }
      previous = scalar
    }
    return String(result)
  }
}
