import Foundation
import KanoraCore
import WebPages

/// The parts of a playlist's page that order its tracks.
///
/// A script moves rows by drag and drop. The buttons of a row, and a form with two positions, do the same for the keyboard, for screen
/// readers, and without the script.
enum ItemOrder {
  /// The part of a row with which a pointer drags the row. The script shows it.
  static var grip: Markup {
    element(
      .span, .class("grip"), Attribute("aria-hidden", "true"), Attribute("title", "Drag to move")
    ) { "⠿" }
  }

  /// Returns the form that the buttons of the rows and the script submit, the form with two positions, and the script.
  ///
  /// - Parameters:
  ///   - path: The playlist's path.
  ///   - back: The page's address.
  @MarkupBuilder
  static func forms(_ path: String, back: String) -> Markup {
    let action = "\(path)/items"
    TrackRows.rowForm("items", to: action, back: back)
    element(
      .form, .class("search"), Attribute("method", "post"), Attribute("action", action),
      Attribute(flag: "data-quiet"), .label("Move a track")
    ) {
      Markup.hidden("back", back)
      position("from", "Move the track at position")
      position("to", "to position")
      element(.button, .class("quiet")) { "Move" }
    }
    element(.script, Attribute("src", "/order.js"), Attribute(flag: "defer")) { "" }
  }

  @MarkupBuilder
  private static func position(_ name: String, _ label: String) -> Markup {
    element(.label, Attribute("for", name)) { label }
    element(
      .input, .id(name), .class("position"), Attribute("type", "text"), Attribute("name", name),
      Attribute("inputmode", "numeric"), Attribute("pattern", " *[0-9]+ *"),
      Attribute(flag: "required"))
  }

  /// Returns the item, and its new place, in the form's field `move`: an id, a side, and the id of the item at that side; nil for any
  /// other text.
  static func move(_ text: String) -> (item: UUID, side: PlaylistSide, other: UUID)? {
    let parts = text.split(separator: " ").map(String.init)
    guard parts.count == 3, let item = UUID(uuidString: parts[0]),
      let side = PlaylistSide(rawValue: parts[1]), let other = UUID(uuidString: parts[2])
    else { return nil }
    return (item, side, other)
  }
}
