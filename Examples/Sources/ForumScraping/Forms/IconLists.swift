import ForumHTML

/// The icons that a form offers: the main list and, in some forums, a second list.
public struct IconLists: Sendable, Equatable {
  /// The icons of the main list, in order.
  public let primary: [ThreadIcon]
  /// The name that the form sends with the main choice; empty without icons.
  public let primaryName: String
  /// The icons of the second list, in order.
  public let secondary: [ThreadIcon]
  /// The name that the form sends with the second choice; empty without a second list.
  public let secondaryName: String

  init(_ document: HTMLDocument) throws {
    var primary: [ThreadIcon] = []
    var primaryName = ""
    for place in try document.select("div.posticon") {
      guard let button = try place.first("input[type='radio']"),
        let name = Link.imageName(of: try place.first("img")?["src"])
      else { continue }
      primary.append(ThreadIcon(imageName: name, id: button["value"]))
      primaryName = button["name"] ?? primaryName
    }
    var secondary: [ThreadIcon] = []
    var secondaryName = ""
    for button in try document.select("input[type='radio']") {
      guard let image = button.nextElement, image.name == "img", button["name"] != primaryName,
        let name = Link.imageName(of: image["src"]),
        !(button.parent?.hasClass("posticon") ?? false)
      else { continue }
      secondary.append(ThreadIcon(imageName: name, id: button["value"]))
      secondaryName = button["name"] ?? secondaryName
    }
    self.primary = primary
    self.primaryName = primaryName
    self.secondary = secondary
    self.secondaryName = secondaryName
  }
}
