import Foundation
import KanoraCore
import WebPages

/// The rows of the browser's columns and of track lists.
enum TrackRows {
  /// The id of the form that the love and rating buttons of a row belong to.
  private static let marksForm = "marks"

  /// Returns a row of a list.
  ///
  /// - Parameters:
  ///   - track: The track.
  ///   - id: The id of the row's element, or nil for the id of the track.
  ///   - lead: A leading text, such as a number.
  ///   - buttons: Additional buttons at the end.
  static func row(
    _ track: TrackRow, id: String? = nil, lead: String? = nil,
    @MarkupBuilder buttons: () -> Markup = { Markup("") }
  ) -> LiveRow {
    let name = "track-\(track.id.uuidString)"
    let id = id ?? name
    let markup = element(.li, .id(id), .class("track")) {
      element(
        .input, Attribute("type", "checkbox"), Attribute("name", name),
        Attribute("form", SelectionForm.id), Attribute("data-key", "x"),
        .label("Select \(track.title)"))
      element(
        .a, .class("row"), .href("/audio/\(track.id.uuidString)"),
        Attribute("data-track", track.id.uuidString)
      ) {
        element(.span, .class("title"), Attribute("dir", "auto")) { track.title }
        element(.span, .class("count none")) { time(track.duration) }
        element(.span, .class("meta")) {
          if let lead { "\(lead) · " }
          facts(of: track)
        }
      }
      marks(track)
      buttons()
      element(
        .a, .class("more"), .href("/tracks/\(track.id.uuidString)"), Attribute("data-key", "d")
      ) { "Details" }
    }
    return LiveRow(id: id, markup: markup)
  }

  /// Returns the buttons that love and rate a track. They belong to ``marksForm(back:isQuiet:)``.
  static func marks(_ track: TrackRow) -> Markup {
    let id = track.id.uuidString
    return element(.span, .class("marks")) {
      element(
        .button, .class(track.isLoved ? "mark on" : "mark"), Attribute("form", marksForm),
        Attribute("name", "love"), Attribute("value", "\(id) \(track.isLoved ? 0 : 1)"),
        Attribute("aria-pressed", track.isLoved ? "true" : "false"), Attribute("data-key", "l"),
        .label("Love \(track.title)")
      ) { track.isLoved ? "♥" : "♡" }
      element(
        .span, .class("stars"), Attribute("role", "group"), .label("Rating: \(track.rating) of 5")
      ) {
        for stars in 1...5 {
          let isOwn = stars == track.rating
          element(
            .button, .class(stars <= track.rating ? "mark on" : "mark"),
            Attribute("form", marksForm), Attribute("name", "rate"),
            Attribute("value", "\(id) \(isOwn ? 0 : stars)"), Attribute("data-key", "\(stars)"),
            .label(isOwn ? "Remove the rating" : "Rate \(stars)")
          ) { stars <= track.rating ? "★" : "☆" }
        }
      }
    }
  }

  /// Returns the form of the love and rating buttons, which a page contains once.
  static func marksForm(back: String, isQuiet: Bool) -> Markup {
    rowForm(marksForm, to: "/marks", back: back, isQuiet: isQuiet)
  }

  /// Returns a form whose buttons are in the rows of lists.
  ///
  /// - Parameters:
  ///   - id: The form's id, which its buttons refer to.
  ///   - action: The path that the form is sent to.
  ///   - back: The page's address.
  ///   - isQuiet: Whether a script sends the form without leaving the page, because the page's lists show the result.
  static func rowForm(
    _ id: String, to action: String, back: String, isQuiet: Bool = true
  ) -> Markup {
    element(
      .form, .id(id), Attribute("method", "post"), Attribute("action", action),
      isQuiet ? Attribute(flag: "data-quiet") : nil
    ) { Markup.hidden("back", back) }
  }

  /// Returns the artist, album and other facts, each with its own text direction.
  private static func facts(of track: TrackRow) -> Markup {
    var texts = [track.artist]
    if let album = track.album { texts.append(album) }
    var facts: [String] = []
    if let number = track.trackNumber { facts.append("track \(number)") }
    if let year = track.year { facts.append("\(year)") }
    if track.playCount > 0 { facts.append(Wording.count(track.playCount, "play")) }
    if track.isMissing { facts.append("file missing") }
    return element(.span) {
      for (place, text) in texts.enumerated() {
        if place > 0 { " · " }
        element(.bdi) { text }
      }
      for fact in facts { " · \(fact)" }
    }
  }

  /// Formats a duration as minutes and seconds, with hours if there are any.
  static func time(_ seconds: Double) -> String {
    let whole = Int(exactly: seconds.rounded()) ?? 0
    func two(_ number: Int) -> String { "\(number < 10 ? "0" : "")\(number)" }
    let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
    if hours > 0 { return "\(hours):\(two(minutes)):\(two(whole % 60))" }
    return "\(minutes):\(two(whole % 60))"
  }

  /// Returns a selectable row of a column.
  static func choice(
    _ id: String, _ title: String, _ count: Int, to address: String, isChosen: Bool
  ) -> LiveRow {
    let markup = element(.li, .id(id)) {
      element(
        .a, .class("row"), .href(address), isChosen ? Attribute("aria-current", "true") : nil
      ) {
        element(.span, .class("title"), Attribute("dir", "auto")) { title }
        element(.span, .class("count none")) { "\(count)" }
      }
    }
    return LiveRow(id: id, markup: markup)
  }
}
