/// The options of a server for a site.
public struct ForumServerOptions: Sendable, Hashable {
  /// The port on the loopback address; zero lets the system choose.
  public var port: UInt16
  /// The revision of the markup.
  public var markup: Markup
  /// The charset that the header of pages states.
  public var charset: PageCharset
  /// Whether the control pages below `/__sim/` exist.
  public var isControlEnabled: Bool
  /// The number of virtual seconds that pass in one real second; zero stops the clock between control requests.
  public var speed: Int

  /// Creates options; the defaults are suitable for tests.
  public init(
    port: UInt16 = 0, markup: Markup = .revision2025, charset: PageCharset = .windows1252,
    isControlEnabled: Bool = false, speed: Int = 0
  ) {
    self.port = port
    self.markup = markup
    self.charset = charset
    self.isControlEnabled = isControlEnabled
    self.speed = speed
  }
}
