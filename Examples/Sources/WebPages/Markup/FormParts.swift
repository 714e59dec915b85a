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
  public static func hidden(_ name: String, _ value: String) -> Markup {
    element(
      .input, Attribute("type", "hidden"), Attribute("name", name), Attribute("value", value))
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

  /// A field for one line below its label, with what is wrong with its value beside it.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - label: What is typed.
  ///   - value: What was typed.
  ///   - problem: What is wrong with it; nil for nothing.
  ///   - attributes: More attributes of the field.
  @MarkupBuilder
  public static func checkedField(
    _ name: String, _ label: String, value: String, problem: String?, _ attributes: Attribute...
  ) -> Markup {
    element(.label, Attribute("for", name)) { label }
    element(
      .input,
      [.id(name), Attribute("type", "text"), Attribute("name", name), Attribute("value", value)]
        + attributes + wrong(name, problem)
    ) { "" }
    fieldProblem(name, problem)
  }

  /// The attributes of a field that say that its value is wrong, and where the reason is.
  public static func wrong(_ name: String, _ problem: String?) -> [Attribute] {
    problem == nil
      ? []
      : [Attribute("aria-invalid", "true"), Attribute("aria-describedby", "\(name)-problem")]
  }

  /// What is wrong with the value of a field, to be put behind it; nothing where nothing is.
  @MarkupBuilder
  public static func fieldProblem(_ name: String, _ problem: String?) -> Markup {
    if let problem {
      element(
        .p, .id("\(name)-problem"), .class("warn-text"), Attribute("role", "alert")
      ) { problem }
    }
  }

  /// A field to choose one of several values, below its label.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - label: What is chosen.
  ///   - values: What is sent for each choice, and how it is called.
  ///   - chosen: The value that is chosen at first.
  @MarkupBuilder
  public static func choice(
    _ name: String, _ label: String, _ values: [(value: String, text: String)], chosen: String
  ) -> Markup {
    element(.label, Attribute("for", name)) { label }
    element(.select, .id(name), Attribute("name", name)) {
      for (value, text) in values {
        element(
          .option, Attribute("value", value),
          value == chosen ? Attribute(flag: "selected") : nil
        ) { text }
      }
    }
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
