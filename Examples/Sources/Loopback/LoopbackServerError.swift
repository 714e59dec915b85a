/// Why a server could not start.
public struct LoopbackServerError: Error, Sendable, CustomStringConvertible {
  /// A stable number for each cause.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The number.
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

  /// What went wrong.
  public let code: Code
  /// The port that was asked for.
  public let port: UInt16
  /// The error below.
  public let underlying: (any Error)?

  /// The error in one sentence.
  public var description: String {
    code == .alreadyStarted
      ? "The server is running already."
      : "The server cannot listen on port \(port) of 127.0.0.1; is it in use?"
  }
}
