import Foundation
import WebPages

/// What a form hears whose text was saved at a pause of typing.
struct AutosaveAnswer: Encodable {
  /// The draft's id; nil if nothing is stored.
  var draft: String?
  /// The revision that the form goes back to from now on.
  var revision: Int?
  /// When it was saved, in a sentence.
  var saved: String?
  /// Why it was not saved.
  var problem: String?

  func answer() throws -> WebAnswer {
    .file(try JSONEncoder().encode(self), contentType: "application/json")
  }

  /// The sentence for the instant of a save.
  static func saved(at instant: Date) -> String { "Saved at \(Wording.day(instant))." }
}
