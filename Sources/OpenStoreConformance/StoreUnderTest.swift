public import OpenObjectModel
public import OpenStoreContract

/// A store to check, with functions that create and reopen it.
public struct StoreUnderTest: Sendable, CustomStringConvertible {
  /// Shown in failures.
  public let name: String
  /// Opens a new, empty store for a model.
  public let open: @Sendable (CompiledModel) throws -> any StoreBackend
  /// Closes a store that `open` made and opens the same one again; nil for stores that end with the
  /// process.
  public let reopen: (@Sendable (any StoreBackend, CompiledModel) throws -> any StoreBackend)?

  public init(
    name: String, open: @escaping @Sendable (CompiledModel) throws -> any StoreBackend,
    reopen: (@Sendable (any StoreBackend, CompiledModel) throws -> any StoreBackend)? = nil
  ) {
    self.name = name
    self.open = open
    self.reopen = reopen
  }

  public var description: String { name }
}
