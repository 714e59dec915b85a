import ForumHTML

/// One control of a form; each option of a list counts as one.
public struct FormControl: Sendable, Equatable {
  /// What a control is, in HTML's words.
  public enum Kind: String, Sendable {
    /// The control's type.
    case hidden, text, password, textarea, checkbox, radio, option, file, submit
  }

  /// What the control is.
  public let kind: Kind
  /// The name under which it is sent.
  public let name: String
  /// The value it is sent with.
  public let value: String
  /// Whether it is chosen as the page came; nil for controls that cannot be.
  public let isChosen: Bool?
  /// Whether it is left out for being disabled.
  public let isDisabled: Bool
  /// Whether it is sent although it is not chosen: the first option of a list that shows one and has none chosen.
  let isDefault: Bool
  /// Where a button sends the form instead of the form's own address.
  public let overridingAction: String?
  /// How a button sends the form instead of the form's own method.
  public let overridingMethod: String?

  /// The controls an element stands for.
  ///
  /// - Parameter element: An input, button, text area or list.
  /// - Returns: None for buttons that do not send the form.
  static func controls(of element: HTMLElement) throws -> [FormControl] {
    switch element.name {
    case "input": input(element).map { [$0] } ?? []
    case "textarea": [FormControl(.textarea, element, value: element.text)]
    case "button":
      (element["type"] ?? "submit").lowercased() == "submit"
        ? [FormControl(.submit, element, value: element["value"] ?? "")] : []
    case "select": try options(of: element)
    default: []
    }
  }

  private init(
    _ kind: Kind, _ element: HTMLElement, name: String? = nil, value: String, isChosen: Bool? = nil,
    isListDisabled: Bool = false, isDefault: Bool = false
  ) {
    self.kind = kind
    self.name = name ?? element["name"] ?? ""
    self.value = value
    self.isChosen = isChosen
    self.isDefault = isDefault
    isDisabled = isListDisabled || element["disabled"] != nil
    overridingAction = element["formaction"]
    overridingMethod = element["formmethod"]
  }

  private static func input(_ element: HTMLElement) -> FormControl? {
    let value = element["value"]
    switch (element["type"] ?? "text").lowercased() {
    case "button", "reset": return nil
    case "hidden": return FormControl(.hidden, element, value: value ?? "")
    case "password": return FormControl(.password, element, value: value ?? "")
    case "file": return FormControl(.file, element, value: "")
    case "submit", "image": return FormControl(.submit, element, value: value ?? "")
    case "checkbox":
      return FormControl(
        .checkbox, element, value: value ?? "on", isChosen: element["checked"] != nil)
    case "radio":
      return FormControl(.radio, element, value: value ?? "on", isChosen: element["checked"] != nil)
    default: return FormControl(.text, element, value: value ?? "")
    }
  }

  private static func options(of list: HTMLElement) throws -> [FormControl] {
    let options = try list.select("option")
    let showsOne = list["multiple"] == nil && (list["size"]?.wholeNumber ?? 1) <= 1
    let isOpen = showsOne && !options.contains { $0["selected"] != nil }
    let first = isOpen ? options.firstIndex { $0["disabled"] == nil } : nil
    return options.enumerated().map { index, option in
      FormControl(
        .option, option, name: list["name"] ?? "", value: option["value"] ?? option.trimmedText,
        isChosen: option["selected"] != nil, isListDisabled: list["disabled"] != nil,
        isDefault: index == first)
    }
  }
}
