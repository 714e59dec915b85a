public import OpenObjectModel
public import OpenStoreContract

/// A store type to check, and the closures that open and reopen stores of this type.
public struct StoreUnderTest: Sendable, CustomStringConvertible {
  /// The name of the store type, which appears in failure messages.
  public let name: String
  /// A closure that opens a new, empty store for a model.
  public let open: @Sendable (CompiledModel) throws -> any StoreBackend
  /// A closure that closes a store and opens it again, or nil for stores that exist only in memory.
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
