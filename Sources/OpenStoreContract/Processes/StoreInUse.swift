public import Foundation

/// The processes that used a store while this process waited for the store.
///
/// A `StoreError` with code `.locked` contains this value as its `underlying` error if the system
/// reports these processes.
public struct StoreInUse: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// A process that uses the store.
  public struct Holder: Sendable, Hashable, CustomStringConvertible {
    /// The identifier of the process.
    public var processID: Int32
    /// The name of the process's program; empty if unknown.
    public var programName: String
    /// The operation that the process performs on the store.
    ///
    /// The operation is `open`, `destroy`, `replace`, `migrate`, `metadata`, `copy`, `unknown`, or
    /// a phrase such as `open in SQLite` for a lock that the store's database library holds.
    public var operation: String

    /// Creates a description of a process that uses the store.
    ///
    /// - Parameters:
    ///   - processID: The identifier of the process.
    ///   - programName: The name of the process's program; empty if unknown.
    ///   - operation: The operation that the process performs on the store, such as `migrate`.
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

  /// The processes that were found; never empty.
  public var holders: [Holder]

  /// Creates a description of the processes that use a store.
  ///
  /// - Parameter holders: The processes; at least one.
  public init(holders: [Holder]) { self.holders = holders }

  /// The text of `localizedDescription`, which equals `description`.
  public var errorDescription: String? { description }

  public var description: String { holders.map(\.description).joined(separator: ", ") }
}
