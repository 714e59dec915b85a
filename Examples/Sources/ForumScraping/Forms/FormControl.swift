import ForumHTML

/// One control of a form; each option of a list is a separate control.
public struct FormControl: Sendable, Equatable {
  /// The kind of a control, in HTML's terms.
  public enum Kind: String, Sendable {
    /// The control's type.
    case hidden, text, password, textarea, checkbox, radio, option, file, submit
  }

  /// The kind of the control.
  public let kind: Kind
  /// The name that the form sends.
  public let name: String
  /// The value that the form sends.
  public let value: String
  /// Whether the page selects the control initially; nil for controls that cannot be selected.
  public let isChosen: Bool?
  /// Whether the control is disabled and therefore not sent.
  public let isDisabled: Bool
  /// Whether the control is sent although it is not selected: the first option of a single-option list without a selected option.
  let isDefault: Bool
  /// The address to which a button sends the form instead of the form's own address.
  public let overridingAction: String?
  /// The method with which a button sends the form instead of the form's own method.
  public let overridingMethod: String?

  /// Returns the controls of an element.
  ///
  /// - Parameter element: An input, button, text area or list.
  /// - Returns: The controls; empty for buttons that do not send the form.
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
