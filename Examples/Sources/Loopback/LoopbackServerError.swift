/// Why a server could not start.
public struct ForumServerError: Error, Sendable, CustomStringConvertible {
  /// A stable number for each cause.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int

    /// Makes a code from its number.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// The port is taken or not allowed.
    public static let notListening = Code(rawValue: 1)
    /// The server is running already.
    public static let alreadyStarted = Code(rawValue: 2)
  }

  public let code: Code
  public let port: UInt16
  public let underlying: (any Error)?

  public var description: String {
    code == .alreadyStarted
      ? "The forum server is running already."
      : "The forum server cannot listen on port \(port) of 127.0.0.1; is it in use?"
  }
}
