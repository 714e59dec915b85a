import Foundation
import KanoraCore
import WebPages

/// The content of the form that edits tracks: the values it was shown with, and the user's changes.
///
/// A value.
struct EditForm: Sendable {
  /// An input that is not valid.
  struct Problem: Error {
    /// The name of the form field.
    let field: String
    let message: String
  }

  /// The fields of the form for one track.
  private static let fields: [TrackField] = [
    .title, .artist, .album, .albumArtist, .genre, .year, .trackNumber, .discNumber, .composer,
    .lyrics,
  ]
  /// The fields that require a value.
  private static let required: Set<TrackField> = [.title, .album, .albumArtist, .discNumber]

  let tracks: [TrackDetails]
  /// The values sent by the browser; empty when the form is first shown.
  let sent: [String: String]

  private var isBulk: Bool { tracks.count > 1 }

  /// The fields of the form; lyrics are edited for a single track only.
  private var fields: [TrackField] { Self.fields.filter { $0 != .lyrics || !isBulk } }

  /// Returns the label of a field.
  static func label(of field: TrackField) -> String {
    switch field {
    case .title: "Title"
    case .artist: "Artist"
    case .album: "Album"
    case .albumArtist: "Album artist"
    case .genre: "Genre"
    case .year: "Year"
    case .trackNumber: "Track number"
    case .discNumber: "Disc number"
    case .composer: "Composer"
    case .lyrics: "Lyrics"
    }
  }

  /// Returns the value that all tracks share, or nil if they have different values.
  private func common(_ field: TrackField) -> String? {
    let values = Set(tracks.map { $0.values[field] ?? "" })
    return values.count == 1 ? values.first : nil
  }

  // MARK: Reading

  /// Returns the user's changes: the fields whose text differs from the text they were shown with. Emptying a field therefore removes its
  /// value, and an unedited field keeps a value that another program has written since.
  ///
  /// - Throws: ``Problem``.
  func changes() throws(Problem) -> [TrackChange] {
    var changes = fields.compactMap { field -> TrackChange? in
      let name = field.rawValue
      if sent["clear-\(name)"] != nil { return .set(field, "") }
      let read = field == .lyrics ? Self.plainLines : Self.oneLine
      guard let text = sent[name].map(read) else { return nil }
      let was = sent["was-\(name)"].map(read) ?? ""
      return text == was ? nil : .set(field, text)
    }
    if let find = sent["find"], !find.isEmpty {
      guard let field = sent["find-in"].flatMap({ TrackField(rawValue: $0) }) else {
        throw Problem(field: "find-in", message: "Choose the field in which to replace the text.")
      }
      changes.append(.replace(field, find: find, with: sent["replace"] ?? ""))
    }
    if let number = sent["number"], !number.isEmpty {
      guard let first = Int(number.trimmingCharacters(in: .whitespaces)) else {
        throw Problem(field: "number", message: "The first number must be a whole number.")
      }
      changes.append(.number(from: first))
    }
    return changes
  }

  /// Replaces the CRLF line endings that browsers send.
  private static func plainLines(_ text: String) -> String { text.replacing("\r\n", with: "\n") }

  /// Removes line breaks, as browsers do in the text of a field with one line.
  private static func oneLine(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\r" && $0 != "\n" }))
  }

  // MARK: Markup

  /// Returns the form's fields.
  ///
  /// - Parameter problem: The problem with one of the fields, if any.
  @MarkupBuilder
  func markup(problem: Problem?) -> Markup {
    for track in tracks { Markup.hidden("track-\(track.id.uuidString)", "on") }
    element(.div, .class("writing")) {
      for field in fields { markup(of: field, problem) }
      if isBulk { bulk(problem) }
    }
  }

  @MarkupBuilder
  private func markup(of field: TrackField, _ problem: Problem?) -> Markup {
    let name = field.rawValue
    let common = common(field)
    let was = sent["was-\(name)"] ?? common ?? ""
    let value = sent[name] ?? was
    let message = problem?.field == name ? problem?.message : nil
    Markup.hidden("was-\(name)", was)
    if field == .lyrics {
      element(.label, Attribute("for", name)) { Self.label(of: field) }
      element(
        .textarea,
        [.id(name), Attribute("name", name), Attribute("rows", "8"), Attribute("dir", "auto")]
          + Markup.wrong(name, message)
      ) { value }
      Markup.fieldProblem(name, message)
    } else {
      Markup.checkedField(
        name, Self.label(of: field), value: value, problem: message, Attribute("dir", "auto"),
        Attribute("placeholder", common == nil ? "Multiple values" : ""),
        Attribute("inputmode", field.isNumber ? "numeric" : "text"))
    }
    if isBulk, common == nil, !Self.required.contains(field) {
      element(.label, .class("check"), Attribute("for", "clear-\(name)")) {
        element(
          .input, .id("clear-\(name)"), Attribute("type", "checkbox"),
          Attribute("name", "clear-\(name)"),
          sent["clear-\(name)"] == nil ? nil : Attribute(flag: "checked"))
        " Remove the \(Self.label(of: field).lowercased()) from all tracks"
      }
    }
  }

  /// Returns the fields that apply only to several tracks.
  private func bulk(_ problem: Problem?) -> Markup {
    func message(_ name: String) -> String? { problem?.field == name ? problem?.message : nil }
    return element(.fieldset) {
      element(.legend) { "All tracks" }
      Markup.choice(
        "find-in", "Find and replace in",
        fields.filter { !$0.isNumber }.map { ($0.rawValue, Self.label(of: $0)) },
        chosen: sent["find-in"] ?? TrackField.title.rawValue)
      Markup.fieldProblem("find-in", message("find-in"))
      Markup.checkedField("find", "Find", value: sent["find"] ?? "", problem: message("find"))
      Markup.field("replace", "Replace with", value: sent["replace"] ?? "")
      Markup.checkedField(
        "number", "Number the tracks in order, starting at", value: sent["number"] ?? "",
        problem: message("number"), Attribute("inputmode", "numeric"))
    }
  }
}
