internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// A store that is open, but not yet attached to a coordinator.
struct OpenedStore {
  var backend: any StoreBackend
  var type: String
  var url: URL?
  var isReadOnly: Bool
  var configurationName: String?
  var options: [AnyHashable: Any]?
  /// The instance of the application's store class; nil for the store types of this library.
  var custom: NSPersistentStore?
}

extension NSPersistentStoreCoordinator {
  /// Opens or creates a store for the model.
  func openStore(
    _ type: String, _ configurationName: String?, _ url: URL?, _ options: [AnyHashable: Any]?
  ) throws -> OpenedStore {
    let type = StoreTypes.type(type, at: url)
    let opener = try StoreTypes.opener(of: type)
    if opener.files != nil { try StoreTypes.requireFileURL(url, of: type) }
    try requireConfiguration(configurationName)
    var settings = StoreConfiguration(url: url, options: options)
    settings.configurationName = configurationName
    if let storeClass = opener.storeClass {
      return try open(storeClass, type, settings, options)
    }
    let backend = try MigratingOpening(
      type: type, configuration: settings, options: options ?? [:], model: model, opener: opener
    ).open()
    if backend.isReadOnly, !settings.isReadOnly {
      GraphLog.warning(
        "The store has persistent history, but was opened without NSPersistentHistoryTrackingKey. "
          + "The store is open for reading only.")
    }
    if settings.tracksHistory, !backend.isReadOnly, backend.history == nil {
      GraphLog.warning(
        "The store was opened with NSPersistentHistoryTrackingKey, but a store of type \"\(type)\" records no history."
      )
    }
    return OpenedStore(
      backend: backend, type: type, url: url, isReadOnly: backend.isReadOnly,
      configurationName: configurationName, options: options)
  }

  /// Creates an instance of a custom store, which reads its metadata and its contents.
  private func open(
    _ storeClass: NSPersistentStore.Type, _ type: String, _ settings: StoreConfiguration,
    _ options: [AnyHashable: Any]?
  ) throws -> OpenedStore {
    let store = storeClass.init(
      persistentStoreCoordinator: self, configurationName: settings.configurationName,
      at: settings.url ?? URL(fileURLWithPath: "/dev/null"), options: options)
    store.adoptType(type)
    let backend = try surfacingErrors { try store.makeBackend(settings, for: self) }
    return OpenedStore(
      backend: backend, type: type, url: settings.url, isReadOnly: store.isReadOnly,
      configurationName: settings.configurationName, options: options, custom: store)
  }

  private func requireConfiguration(_ name: String?) throws {
    guard let name, name != NSPersistentStore.defaultConfigurationName else { return }
    if managedObjectModel.entities(forConfigurationName: name) != nil { return }
    throw CocoaError.make(
      .coreData,
      "The model has no configuration named \"\(name)\". Its configurations are: "
        + managedObjectModel.configurations.joined(separator: ", ") + ".")
  }
}
