import WebPages

/// The player at the bottom of every page. A script shows it when there is a track to play, and continues playback on the next page.
enum Player {
  @MarkupBuilder
  static var markup: Markup {
    element(
      .div, .id("player"), Attribute("role", "region"), .label("Player"), Attribute(flag: "hidden")
    ) {
      element(.p, .class("now"), Attribute("dir", "auto")) { "" }
      element(.div, .class("actions")) {
        element(.button, .class("quiet"), Attribute("type", "button"), Attribute("data-step", "-1"))
        {
          "Previous"
        }
        element(.audio, Attribute(flag: "controls"), Attribute("preload", "metadata")) { "" }
        element(.button, .class("quiet"), Attribute("type", "button"), Attribute("data-step", "1"))
        {
          "Next"
        }
      }
    }
    element(.script, Attribute("src", "/player.js"), Attribute(flag: "defer")) { "" }
  }
}
