internal import Foundation
internal import OpenObjectGraph

/// Adds the custom store of one configuration to a coordinator.
struct CustomStoreAddition {
  private let schema: Schema
  private let isAlone: Bool

  init(_ schema: Schema, isAlone: Bool) {
    self.schema = schema
    self.isAlone = isAlone
  }

  /// Creates the store, and adds it to a coordinator.
  ///
  /// - Returns: The new store.
  /// - Throws: The error of the store.
  func run(
    _ configuration: any DataStoreConfiguration, _ coordinator: NSPersistentStoreCoordinator
  ) throws -> any DataStore {
    CustomStore.isKnown
    return try open(configuration, coordinator)
  }

  private func open<Configuration: DataStoreConfiguration>(
    _ configuration: Configuration, _ coordinator: NSPersistentStoreCoordinator
  ) throws -> any DataStore {
    var configuration = configuration
    if configuration.schema == nil { configuration.schema = schema }
    let store = try Configuration.Store(configuration, migrationPlan: nil)
    try coordinator.addPersistentStore(
      ofType: CustomStore.type, configurationName: isAlone ? nil : configuration.name, at: nil,
      options: [CustomStore.bridgeOption: StoreBridge(store)])
    return store
  }
}
