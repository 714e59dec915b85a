public import Foundation

/// The process that uses a store while another process waits for it.
///
/// The `underlying` error of a `StoreError` with code `.locked`, as far as the system reports it.
public struct StoreInUse: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// A process that uses the store.
  public struct Holder: Sendable, Hashable, CustomStringConvertible {
    /// The process.
    public var processID: Int32
    /// The name of its program; empty if unknown.
    public var programName: String
    /// Its operation: `open`, `destroy`, `replace`, `migrate`, `metadata`, or a lock of the store's own library.
    public var operation: String

    /// Describes a user.
    ///
    /// - Parameters:
    ///   - processID: The process.
    ///   - programName: The name of its program; empty if unknown.
    ///   - operation: Its operation on the store.
    public init(processID: Int32, programName: String, operation: String) {
      self.processID = processID
      self.programName = programName
      self.operation = operation
    }

    public var description: String {
      let name = programName.isEmpty ? "a program" : programName
      return "\(name) (process \(processID), \(operation))"
    }
  }

  /// The users that were found; never empty.
  public var holders: [Holder]

  /// Creates a description of the users of a store.
  ///
  /// - Parameter holders: At least one.
  public init(holders: [Holder]) { self.holders = holders }

  /// The sentence that `print` shows.
  public var errorDescription: String? { description }

  public var description: String { holders.map(\.description).joined(separator: ", ") }
}
