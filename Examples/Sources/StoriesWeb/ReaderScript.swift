import WebPages

/// The script of the reader, which turns pages by swipes and reads them aloud, and the button that it shows.
///
/// In the form for the profile, the script offers the names of the browser's voices.
enum ReaderScript {
  /// The element that loads the script.
  static var markup: Markup {
    element(.script, Attribute("src", "/reader.js"), Attribute(flag: "defer")) { "" }
  }

  /// Returns the button that reads a page aloud. The script shows the button if the browser can speak.
  ///
  /// - Parameter voice: The name of the voice; nil for the default voice.
  static func speechButton(voice: String?) -> Markup {
    element(
      .button, .id("speak"), .class("quiet"), Attribute("type", "button"),
      voice.map { Attribute("data-voice", $0) }, Attribute(flag: "hidden")
    ) { "Read aloud" }
  }
}
