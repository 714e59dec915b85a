// The parts that the forms and pages of all sites share.

extension Markup {
  /// Returns a form that leads back to its own page.
  ///
  /// - Parameters:
  ///   - action: The path that receives the form.
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

  /// Returns a form with a single button.
  public static func button(_ text: String, to action: String, back: String) -> Markup {
    form(to: action, back: back) { element(.button, .class("quiet")) { text } }
  }

  /// Returns a hidden field.
  public static func hidden(_ name: String, _ value: String) -> Markup {
    element(
      .input, Attribute("type", "hidden"), Attribute("name", name), Attribute("value", value))
  }

  /// Returns a single-line field below its label.
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

  /// Returns a single-line field below its label, with the validation error of its value.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - label: The text of the label.
  ///   - value: The value of the field.
  ///   - problem: The validation error; nil for a valid value.
  ///   - attributes: Additional attributes of the field.
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

  /// Returns the attributes that mark a field as invalid and refer to the validation error.
  public static func wrong(_ name: String, _ problem: String?) -> [Attribute] {
    problem == nil
      ? []
      : [Attribute("aria-invalid", "true"), Attribute("aria-describedby", "\(name)-problem")]
  }

  /// Returns the validation error to show after a field; nothing for a valid value.
  @MarkupBuilder
  public static func fieldProblem(_ name: String, _ problem: String?) -> Markup {
    if let problem {
      element(
        .p, .id("\(name)-problem"), .class("warn-text"), Attribute("role", "alert")
      ) { problem }
    }
  }

  /// Returns a selection of one of several values, below its label.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - label: The text of the label.
  ///   - values: The submitted value and the displayed text of each choice.
  ///   - chosen: The initially selected value.
  @MarkupBuilder
  public static func choice(
    _ name: String, _ label: String, _ values: [(value: String, text: String)], chosen: String
  ) -> Markup {
    element(.label, Attribute("for", name)) { label }
    element(.select, .id(name), Attribute("name", name)) { options(values, chosen: chosen) }
  }

  /// Returns the options of a selection.
  ///
  /// - Parameters:
  ///   - values: The submitted value and the displayed text of each option.
  ///   - chosen: The initially selected value; nil for the first one.
  @MarkupBuilder
  public static func options(
    _ values: [(value: String, text: String)], chosen: String?
  ) -> Markup {
    for (value, text) in values {
      element(
        .option, Attribute("value", value),
        value == chosen ? Attribute(flag: "selected") : nil
      ) { text }
    }
  }

  /// Returns an error message, which screen readers announce; nothing if there is no error.
  @MarkupBuilder
  public static func notice(_ problem: String?) -> Markup {
    if let problem { element(.p, .class("warn-text"), Attribute("role", "alert")) { problem } }
  }

  /// Returns the link to the parent page, which the `u` key also follows.
  public static func up(_ path: String, _ text: String) -> Markup {
    element(.p) { element(.a, .href(path), Attribute("data-key", "up")) { text } }
  }
}
