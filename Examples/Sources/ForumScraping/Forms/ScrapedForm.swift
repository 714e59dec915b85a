import ForumHTML

/// A form with all of its controls, so that it can be sent back completely.
public struct ScrapedForm: Sendable, Equatable {
  /// A name and value that the form sends.
  public struct Entry: Sendable, Equatable {
    /// The name.
    public let name: String
    /// The value.
    public let value: String
  }

  /// The address to which the form is sent, as written.
  public let action: String
  /// The HTTP method, in lower case.
  public let method: String
  /// The encoding of the form's values.
  public let encodingType: String
  /// The charset that the form requests for its values.
  public let acceptedCharset: String?
  /// The browsing context that shows the response.
  public let target: String?
  /// The controls, in order.
  public let controls: [FormControl]

  /// Returns the entries that a browser sends for the unchanged form: every enabled and selected control except files, and one button.
  ///
  /// As in browsers, a single-option list without a selected option sends its first enabled option.
  ///
  /// - Parameter button: The name of the pressed button.
  /// - Returns: The entries, in order.
  public func submission(pressing button: String) -> [Entry] {
    entries(pressing: button) { $0.isChosen ?? true || $0.isDefault }
  }

  /// Returns the entries that the page itself selects, without those that browsers add.
  func chosenEntries(pressing button: String) -> [Entry] {
    entries(pressing: button) { $0.isChosen ?? true }
  }

  private func entries(
    pressing button: String, where isSent: (FormControl) -> Bool
  ) -> [Entry] {
    controls.compactMap { control in
      guard !control.isDisabled, !control.name.isEmpty, isSent(control) else { return nil }
      switch control.kind {
      case .file: return nil
      case .submit where control.name != button: return nil
      default: return Entry(name: control.name, value: control.value)
      }
    }
  }

  /// Returns the controls with a name.
  ///
  /// - Parameter name: The name.
  /// - Returns: The controls, in order.
  public func controls(named name: String) -> [FormControl] {
    controls.filter { $0.name == name }
  }

  /// Reads all forms of a page.
  ///
  /// If table markup separates a form from its controls, so that the form is empty, the form receives the controls after it.
  ///
  /// - Parameter document: The page.
  /// - Returns: The forms, in order.
  static func forms(of document: HTMLDocument) throws -> [ScrapedForm] {
    var elements: [HTMLElement] = []
    var numbers: [HTMLElement: Int] = [:]
    var controls: [[FormControl]] = []
    for element in document.root.descendants {
      if element.name == "form" {
        numbers[element] = elements.count
        elements.append(element)
        controls.append([])
        continue
      }
      guard controlNames.contains(element.name), !elements.isEmpty else { continue }
      let owner =
        form(around: element).flatMap { numbers[$0] }
        ?? (elements.last?.hasElements == false ? elements.count - 1 : nil)
      guard let owner else { continue }
      controls[owner].append(contentsOf: try FormControl.controls(of: element))
    }
    return zip(elements, controls).map { ScrapedForm($0, controls: $1) }
  }

  /// Returns the first form of a page whose field `action` has a value.
  static func first(of document: HTMLDocument, action: String) throws -> ScrapedForm? {
    try forms(of: document).first { form in
      form.controls.contains { $0.name == "action" && $0.value == action }
    }
  }

  private static let controlNames: Set<String> = ["input", "textarea", "button", "select"]

  private static func form(around element: HTMLElement) -> HTMLElement? {
    var ancestor = element.parent
    while let current = ancestor, current.name != "form" { ancestor = current.parent }
    return ancestor
  }

  private init(_ element: HTMLElement, controls: [FormControl]) {
    action = element["action"] ?? ""
    method = (element["method"] ?? "get").lowercased()
    encodingType = (element["enctype"] ?? "application/x-www-form-urlencoded").lowercased()
    acceptedCharset = element["accept-charset"]
    target = element["target"]
    self.controls = controls
  }
}
