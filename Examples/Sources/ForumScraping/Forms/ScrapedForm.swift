import ForumHTML

/// A form as the page holds it, so that it can be sent back whole.
public struct ScrapedForm: Sendable, Equatable {
  /// A name and value that is sent.
  public struct Entry: Sendable, Equatable {
    /// The name.
    public let name: String
    /// The value.
    public let value: String
  }

  /// Where the form is sent, as written.
  public let action: String
  /// How it is sent, in lower case.
  public let method: String
  /// How its values are encoded.
  public let encodingType: String
  /// The charset in which it wants its values.
  public let acceptedCharset: String?
  /// Where the answer is shown.
  public let target: String?
  /// The controls, in order.
  public let controls: [FormControl]

  /// What is sent as the page came: every enabled and chosen control, files aside, and one button. A list that shows one
  /// option has its first one chosen when the page chooses none, as browsers do.
  ///
  /// - Parameter button: The name of the button that is pressed.
  /// - Returns: The entries, in order.
  public func submission(pressing button: String) -> [Entry] {
    entries(pressing: button) { $0.isChosen ?? true || $0.isDefault }
  }

  /// What the page itself chooses to send, without what browsers add to it.
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

  /// The controls of a name.
  ///
  /// - Parameter name: The name.
  /// - Returns: The controls, in order.
  public func controls(named name: String) -> [FormControl] {
    controls.filter { $0.name == name }
  }

  /// Reads all forms of a page.
  ///
  /// A form that the table markup around it made empty gets the controls that follow it.
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

  /// The first form of a page whose field `action` has a value.
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
