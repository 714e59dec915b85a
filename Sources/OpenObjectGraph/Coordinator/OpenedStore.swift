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
    let backend: any StoreBackend
    do {
      backend = try store.makeBackend(settings, for: self)
    } catch let error as StoreError {
      throw CocoaError.surfaced(error)
    }
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

  /// Throws `CocoaError` 134081 if one of the stores has the same file, even under another path or
  /// a link.
  func requireNew(
    _ type: String, _ url: URL?, among stores: [NSPersistentStore]
  ) throws {
    guard let url, url.path != "/dev/null",
      stores.contains(where: Self.isStore(type, at: url))
    else { return }
    throw CocoaError.make(CocoaError.Code(rawValue: 134081), "Can't add the same store twice")
  }

  /// Returns the coordinator's stores of a type at a URL, even under another path or a link.
  ///
  /// At `/dev/null`, there can be several in-memory stores.
  func attachedStores(ofType type: String, at url: URL) -> [NSPersistentStore] {
    persistentStores.filter { $0.type == type }.filter(Self.isStore(type, at: url))
  }

  /// Returns a function that returns whether a store has the URL, or the file at the URL.
  private static func isStore(_ type: String, at url: URL) -> (NSPersistentStore) -> Bool {
    let identity = StoreFileIdentity(type, url)
    return { store in
      store.url == url
        || (identity != nil && StoreFileIdentity(store.type, store.url) == identity)
    }
  }

  /// Throws `CocoaError` 134080 if one of the stores has the identifier of an opened store, because
  /// object ids could then refer to either store.
  func requireOther(_ parts: OpenedStore, than stores: AttachedStores) throws {
    guard let known = stores.store(identifiedBy: parts.backend.identifier) else { return }
    let path = parts.url?.path
    throw CocoaError.make(
      .persistentStoreOpen,
      "The store \(path ?? parts.backend.identifier) was not added because the coordinator's store \(known.name) has the "
        + "same identifier. Typically, one is a copy of the other. Remove that store first, or create the copy with "
        + "migratePersistentStore, which gives the new store another identifier.",
      path: path)
  }
}
