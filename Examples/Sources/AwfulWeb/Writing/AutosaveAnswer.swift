import Foundation
import WebPages

/// The answer to a form whose text was saved at a pause in typing.
struct AutosaveAnswer: Encodable {
  /// The draft's id; nil if nothing is stored.
  var draft: String?
  /// The revision that the form's text is now based on.
  var revision: Int?
  /// A sentence with the date of the save.
  var saved: String?
  /// The reason why it was not saved.
  var problem: String?

  func answer() throws -> WebAnswer {
    .file(try JSONEncoder().encode(self), contentType: "application/json")
  }

  /// Returns the sentence for the date of a save.
  static func saved(at instant: Date) -> String { "Saved at \(Wording.day(instant))." }
}
