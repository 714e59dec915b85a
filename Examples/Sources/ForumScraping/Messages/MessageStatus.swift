/// How the reader has dealt with a message, by the name of its status image.
public struct MessageStatus: Sendable, Equatable {
  /// Whether it has been read.
  public let isSeen: Bool
  /// Whether it has been replied to.
  public let isRepliedTo: Bool
  /// Whether it has been forwarded.
  public let isForwarded: Bool

  init(imageAddress: String?) {
    let name = Link.imageName(of: imageAddress)?.lowercased() ?? ""
    isSeen = !name.contains("newpm")
    isRepliedTo = name.contains("replied")
    isForwarded = name.contains("forwarded")
  }
}
