public import Foundation

/// How the entities that a store was written with differ from those of the model.
///
/// The `underlying` error of a `StoreError` with code `.incompatibleSchema`.
public struct ModelVersionMismatch: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// Entities of the store that the model does not have or defines differently; sorted.
  public var storeEntities: [String]
  /// Entities of the model that the store does not have or defines differently; sorted.
  public var modelEntities: [String]

  public init(storeEntities: [String], modelEntities: [String]) {
    self.storeEntities = storeEntities
    self.modelEntities = modelEntities
  }

  /// The sentence that `print` shows.
  public var errorDescription: String? { description }

  public var description: String {
    "Of the store: \(Self.list(storeEntities)). Of the model: \(Self.list(modelEntities))."
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}
