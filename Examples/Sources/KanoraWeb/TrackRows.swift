import Foundation
import KanoraCore
import WebPages

/// The rows of the browser's columns and of lists of tracks.
enum TrackRows {
  static func row(_ track: TrackRow) -> LiveRow {
    let id = "track-\(track.id.uuidString)"
    let markup = element(.li, .id(id), .class("track")) {
      element(
        .input, Attribute("type", "checkbox"), Attribute("name", id),
        Attribute("form", "selection"),
        .label("Select \(track.title)"))
      element(
        .a, .class("row"), .href("/audio/\(track.id.uuidString)"),
        Attribute("data-track", track.id.uuidString)
      ) {
        element(.span, .class("title")) { track.title }
        element(.span, .class("count none")) { time(track.duration) }
        element(.span, .class("meta")) { Wording.list(facts(of: track)) }
      }
      element(.a, .href("/edit?track-\(track.id.uuidString)=on")) { "Edit" }
    }
    return LiveRow(id: id, markup: markup)
  }

  private static func facts(of track: TrackRow) -> [String] {
    var facts = [track.artist]
    if let album = track.album { facts.append(album) }
    if let number = track.trackNumber { facts.append("track \(number)") }
    if let year = track.year { facts.append("\(year)") }
    if track.playCount > 0 { facts.append(Wording.count(track.playCount, "play")) }
    if track.isMissing { facts.append("file missing") }
    return facts
  }

  static func time(_ seconds: Double) -> String {
    let whole = Int(exactly: seconds.rounded()) ?? 0
    return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
  }

  /// A choice of a column.
  static func choice(
    _ id: String, _ title: String, _ count: Int, to address: String, isChosen: Bool
  ) -> LiveRow {
    let markup = element(.li, .id(id)) {
      element(
        .a, .class("row"), .href(address), isChosen ? Attribute("aria-current", "true") : nil
      ) {
        element(.span, .class("title")) { title }
        element(.span, .class("count none")) { "\(count)" }
      }
    }
    return LiveRow(id: id, markup: markup)
  }
}
