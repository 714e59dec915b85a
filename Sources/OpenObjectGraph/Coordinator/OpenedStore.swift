internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// A store that is open, but not yet a coordinator's.
struct OpenedStore {
  var backend: any StoreBackend
  var type: String
  var url: URL?
  var isReadOnly: Bool
  var configurationName: String?
  var options: [AnyHashable: Any]?
}

extension NSPersistentStoreCoordinator {
  /// Opens or makes a store for the model.
  func openStore(
    _ type: String, _ configurationName: String?, _ url: URL?, _ options: [AnyHashable: Any]?
  ) throws -> OpenedStore {
    let opener = try StoreTypes.opener(of: type)
    if opener.files != nil { try StoreTypes.requireFileURL(url, of: type) }
    try requireConfiguration(configurationName)
    var settings = StoreConfiguration(url: url, options: options)
    settings.configurationName = configurationName
    let backend = try open(settings, opener)
    if backend.isReadOnly, !settings.isReadOnly {
      GraphLog.warning(
        "The store has a history, but is opened without NSPersistentHistoryTrackingKey; "
          + "it is opened for reading only.")
    }
    return OpenedStore(
      backend: backend, type: type, url: url, isReadOnly: backend.isReadOnly,
      configurationName: configurationName, options: options)
  }

  /// Another version of the model is an error of its own, whose reason clients look for.
  private func open(
    _ settings: StoreConfiguration, _ opener: StoreTypes.Opener
  ) throws -> any StoreBackend {
    do throws(StoreError) {
      return try opener.open(settings, model)
    } catch {
      guard error.underlying is ModelVersionMismatch else { throw CocoaError.make(error) }
      let metadata = settings.url.flatMap { url in
        // Only an extra for the error's reader.
        try? opener.files?.metadata(StoreConfiguration(url: url))
      }
      throw CocoaError.make(
        CocoaError.Code(rawValue: 134100), "\(error)", path: error.path,
        userInfo: [
          OpenStoreErrorKey: error, "metadata": metadata ?? [:],
          "reason":
            "The model used to open the store is incompatible with the one used to create the store",
        ])
    }
  }

  private func requireConfiguration(_ name: String?) throws {
    guard let name, name != NSPersistentStore.defaultConfigurationName else { return }
    if managedObjectModel.entities(forConfigurationName: name) != nil { return }
    throw CocoaError.make(
      .coreData,
      "The model has no configuration named \"\(name)\"; it has: "
        + managedObjectModel.configurations.joined(separator: ", ") + ".")
  }
}
