// The parts that forms and pages of all sites have.

extension Markup {
  /// A form that leads back to the page it is on.
  ///
  /// - Parameters:
  ///   - action: The path that takes the form.
  ///   - back: The page's own path, which the form sends as `back`.
  ///   - content: The form's fields and buttons.
  public static func form(
    to action: String, back: String, @MarkupBuilder content: () -> Markup
  ) -> Markup {
    element(.form, Attribute("method", "post"), Attribute("action", action)) {
      hidden("back", back)
      content()
    }
  }

  /// A form that is one button.
  public static func button(_ text: String, to action: String, back: String) -> Markup {
    form(to: action, back: back) { element(.button, .class("quiet")) { text } }
  }

  /// A field that is sent and not shown.
  public static func hidden(_ name: StaticString, _ value: String) -> Markup {
    element(
      .input, Attribute("type", "hidden"), Attribute("name", "\(name)"), Attribute("value", value))
  }

  /// A field for one line, below its label.
  @MarkupBuilder
  public static func field(
    _ name: String, _ label: String, value: String, _ attributes: Attribute...
  ) -> Markup {
    element(.label, Attribute("for", name)) { label }
    element(
      .input,
      [.id(name), Attribute("type", "text"), Attribute("name", name), Attribute("value", value)]
        + attributes
    ) { "" }
  }

  /// What went wrong, announced by screen readers; nothing where nothing did.
  @MarkupBuilder
  public static func notice(_ problem: String?) -> Markup {
    if let problem { element(.p, .class("warn-text"), Attribute("role", "alert")) { problem } }
  }

  /// The link that leads up one level, also by the key `u`.
  public static func up(_ path: String, _ text: String) -> Markup {
    element(.p) { element(.a, .href(path), Attribute("data-key", "up")) { text } }
  }
}
