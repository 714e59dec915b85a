import Foundation

/// The contents of a submitted form for a post.
struct PostDraft {
  static let longestMessage = 50_000
  static let longestSubject = 75

  var subject = ""
  /// The selected icon; zero for none, -1 for a value that is not a number.
  var iconID = 0
  /// The selected second icon; `nil` for none, -1 for a value that is not a number.
  var secondIconID: Int?
  var message = ""
  /// The names of the selected checkboxes.
  var boxes: Set<String> = ["parseurl", "bookmark"]

  init() {}

  /// Creates a draft from a submitted form.
  init(_ request: SiteRequest) {
    subject = Self.line(request.form["subject"])
    iconID = request.form["iconid"].map { Int($0) ?? -1 } ?? 0
    secondIconID = request.form[SecondIconRow.field].map { Int($0) ?? -1 }
    message = Self.normalized(request.form["message"])
    boxes = Set(request.form.filter { $0.value == "yes" }.keys)
  }

  /// Returns a text as a single line without surrounding white space.
  static func line(_ text: String?) -> String {
    normalized(text).replacing("\n", with: " ").trimmingCharacters(in: .whitespaces)
  }

  /// Returns a text with line feeds as line breaks and without control characters.
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
