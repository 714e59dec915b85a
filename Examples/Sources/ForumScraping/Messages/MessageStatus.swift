/// The status of a message for the reader, derived from the name of its status image.
public struct MessageStatus: Sendable, Equatable {
  /// Whether the page shows one of the site's status images. Without an image, the other values are those of a read message.
  public let isShown: Bool
  /// Whether the reader has read the message.
  public let isSeen: Bool
  /// Whether the reader has replied to the message.
  public let isRepliedTo: Bool
  /// Whether the reader has forwarded the message.
  public let isForwarded: Bool

  init(imageAddress: String?) {
    let name = Link.imageName(of: imageAddress)?.lowercased() ?? ""
    isShown = name.contains("pm")
    isSeen = !name.contains("newpm")
    isRepliedTo = name.contains("replied")
    isForwarded = name.contains("forwarded")
  }
}
