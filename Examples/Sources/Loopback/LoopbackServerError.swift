/// An error that prevents a server from starting.
public struct LoopbackServerError: Error, Sendable, CustomStringConvertible {
  /// A stable number for each cause.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: Int

    /// Creates a code from its number.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// The port is in use or not permitted.
    public static let notListening = Code(rawValue: 1)
    /// The server is already running.
    public static let alreadyStarted = Code(rawValue: 2)
  }

  /// The cause of the error.
  public let code: Code
  /// The requested port.
  public let port: UInt16
  /// The underlying error.
  public let underlying: (any Error)?

  /// The error in one sentence.
  public var description: String {
    code == .alreadyStarted
      ? "The server is already running."
      : "The server cannot listen on port \(port) of 127.0.0.1. Check that the port is free."
  }
}
