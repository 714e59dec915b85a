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
        CocoaError.Code(rawValue: NSPersistentStoreIncompatibleVersionHashError), "\(error)",
        path: error.path,
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

  /// Requires that none of the stores has the same file, by whatever path or link.
  func requireNew(
    _ type: String, _ url: URL?, among stores: [NSPersistentStore]
  ) throws {
    guard let url, url.path != "/dev/null" else { return }
    let identity = StoreFileIdentity(type, url)
    let known = stores.first { store in
      store.url == url
        || (identity != nil && StoreFileIdentity(store.type, store.url) == identity)
    }
    guard known != nil else { return }
    throw CocoaError.make(CocoaError.Code(rawValue: 134081), "Can't add the same store twice")
  }
}
