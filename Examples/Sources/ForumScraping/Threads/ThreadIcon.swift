import ForumHTML

/// The icon of a thread, a message or a filter: its image name and, if the page contains it, its id.
public struct ThreadIcon: Sendable, Equatable {
  /// The image's file name without extension.
  public let imageName: String
  /// The icon's id.
  public let id: String?

  /// Creates an icon from an image address such as `…/posticons/help.png#78`.
  ///
  /// - Parameter address: The address.
  init?(_ address: String?) {
    guard let name = Link.imageName(of: address) else { return nil }
    self.init(imageName: name, id: Link.fragment(of: address))
  }

  init(imageName: String, id: String?) {
    self.imageName = imageName
    self.id = id
  }
}
