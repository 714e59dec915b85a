public import Foundation

/// The difference between the entities of a store and the entities of the model.
///
/// A `StoreError` with code `.incompatibleSchema` contains this value as its `underlying` error.
public struct ModelVersionMismatch: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// The sorted names of the store's entities that the model lacks or defines differently.
  public var storeEntities: [String]
  /// The sorted names of the model's entities that the store lacks or defines differently.
  public var modelEntities: [String]

  public init(storeEntities: [String], modelEntities: [String]) {
    self.storeEntities = storeEntities
    self.modelEntities = modelEntities
  }

  /// The text of `localizedDescription`, which equals `description`.
  public var errorDescription: String? { description }

  public var description: String {
    "Differing entities of the store: \(Self.list(storeEntities)). Differing entities of the model: \(Self.list(modelEntities))."
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}
