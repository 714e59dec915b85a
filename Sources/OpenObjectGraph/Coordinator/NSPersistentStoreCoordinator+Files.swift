public import Foundation

// Operations on the files of stores that need not be added to a coordinator. If the coordinator has
// such a store, destroying or replacing the store removes it from the coordinator.

extension NSPersistentStoreCoordinator {
  /// Returns the metadata of a store; the store does not have to be open.
  ///
  /// The method neither changes nor creates a file. For an in-memory store, the metadata contains
  /// only the type. For a custom store, the method calls
  /// ``NSPersistentStore/metadataForPersistentStore(with:)`` on the store class.
  ///
  /// - Parameters:
  ///   - storeType: The type of the store.
  ///   - url: The URL of the store.
  ///   - options: Store options by key; nil for no options.
  /// - Returns: The metadata values by key.
  /// - Throws: For a custom store, any error that the method of the store class throws. For any
  ///   other store, a `CocoaError` if the file cannot be read, for example:
  ///   - 134000: The type is unknown.
  ///   - 260: The file is missing.
  ///   - 259: The file is damaged or not a store.
  ///   - 134080: Access to the file is denied, or the type does not allow the URL.
  /// > Reference: Apple, NSPersistentStoreCoordinator,
  /// > metadataForPersistentStore(ofType:at:options:).
  public class func metadataForPersistentStore(
    ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try StoreFileAccess(storeType, at: url, options).metadata()
  }

  /// Returns the metadata of a store of the given type; the store does not have to be open.
  ///
  /// - Parameters:
  ///   - type: The type of the store.
  ///   - url: The URL of the store.
  ///   - options: Store options by key; nil for no options.
  /// - Returns: The metadata values by key.
  /// - Throws: The same errors as ``metadataForPersistentStore(ofType:at:options:)``.
  /// > Reference: Apple, NSPersistentStoreCoordinator,
  /// > metadataForPersistentStore(type:at:options:).
  public class func metadataForPersistentStore(
    type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
  }

  /// Writes the metadata of a store immediately; the store does not have to be open.
  ///
  /// The method does not change the store's type, the store's identifier or the versions of its
  /// entities. A store that is already open keeps its current metadata. For an in-memory store, the
  /// method does nothing. For a custom store, the method calls
  /// ``NSPersistentStore/setMetadata(_:forPersistentStoreAt:)`` on the store class.
  ///
  /// - Parameters:
  ///   - metadata: The metadata values by key; nil for no values.
  ///   - storeType: The type of the store.
  ///   - url: The URL of the store.
  ///   - options: Store options by key; nil for no options.
  /// - Throws: For a custom store, any error that the method of the store class throws. For any
  ///   other store, a `CocoaError`, for example:
  ///   - 134000: The type is unknown.
  ///   - 134030: A property list cannot contain a value, or the file cannot be written.
  ///   - 260: The file is missing.
  ///   - 259: The file is damaged or not a store.
  ///   - 134080: Access to the file is denied, or the type does not allow the URL.
  ///   - 134090: Another coordinator or process locks the store for longer than the timeout.
  /// > Reference: Apple, NSPersistentStoreCoordinator,
  /// > setMetadata(_:forPersistentStoreOfType:at:options:).
  public class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try StoreFileAccess(storeType, at: url, options).setMetadata(metadata)
  }

  /// Writes the metadata of a store of the given type immediately; the store does not have to be
  /// open.
  ///
  /// - Parameters:
  ///   - metadata: The metadata values by key; nil for no values.
  ///   - type: The type of the store.
  ///   - url: The URL of the store.
  ///   - options: Store options by key; nil for no options.
  /// - Throws: The same errors as ``setMetadata(_:forPersistentStoreOfType:at:options:)``.
  /// > Reference: Apple, NSPersistentStoreCoordinator, setMetadata(_:type:at:options:).
  public class func setMetadata(
    _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(
      metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
  }

  /// Deletes the contents of a store of the given type, including the store's log and external
  /// values.
  ///
  /// - Parameters:
  ///   - url: The URL of the store.
  ///   - type: The type of the store.
  ///   - options: Store options by key; nil for no options.
  /// - Throws: The same errors as ``destroyPersistentStore(at:ofType:options:)``.
  /// > Reference: Apple, NSPersistentStoreCoordinator, destroyPersistentStore(at:type:options:).
  public func destroyPersistentStore(
    at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
  }

  /// Copies a store of the given type to another location, and replaces any store at that location.
  ///
  /// - Parameters:
  ///   - destinationURL: The URL of the copy.
  ///   - destinationOptions: The options of the destination, by key; nil for no options.
  ///   - sourceURL: The URL of the store to copy.
  ///   - sourceOptions: The options of the source, which have no effect.
  ///   - type: The type of both stores.
  /// - Throws: The same errors as
  ///   ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)``.
  /// > Reference: Apple, NSPersistentStoreCoordinator,
  ///   replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:).
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
    type: NSPersistentStore.StoreType
  ) throws {
    try replacePersistentStore(
      at: destinationURL, destinationOptions: destinationOptions,
      withPersistentStoreFrom: sourceURL, sourceOptions: sourceOptions, ofType: type.rawValue)
  }

  /// Closes a store, runs work on the store's file, and opens the store again, even if the work
  /// failed. The store keeps its position among the coordinator's stores.
  ///
  /// - Parameters:
  ///   - store: A store of the coordinator.
  ///   - work: The work, which runs while the store is closed.
  /// - Throws: The error of the work, or any error from opening the store. If the work fails and
  ///   the store cannot be opened again, the method throws a `CocoaError` with the code of the
  ///   work's error. If the work's error is not a `CocoaError`, the code is 134080. The user info
  ///   contains the error of opening under `NSUnderlyingErrorKey`, and both errors under
  ///   `NSDetailedErrorsKey`.
  package func reopening(_ store: NSPersistentStore, after work: () throws -> Void) throws {
    try StoreRemoval(of: [store], from: self).runAndReopen(work)
  }

  /// Adds a removed store again, with the type, configuration, URL and options with which the store
  /// was added before.
  ///
  /// - Returns: The added store, which is a new object.
  /// - Throws: The same errors as ``addPersistentStore(ofType:configurationName:at:options:)``.
  @discardableResult
  package func addAgain(_ store: NSPersistentStore) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: store.type, configurationName: store.addedConfigurationName, at: store.url,
      options: store.options)
  }

  /// Checks the file of a store without opening the store for a model or changing the file.
  ///
  /// The method checks the complete file: a SQLite store with SQLite's `integrity_check`, and an
  /// XML or binary store by parsing the file.
  ///
  /// - Parameters:
  ///   - type: The type of the store.
  ///   - url: The URL of the store.
  /// - Throws: `CocoaError`, for example with one of the following codes:
  ///   - 134000: The type is unknown.
  ///   - 134091: The store is a custom or in-memory store.
  ///   - 260: The file is missing.
  ///   - 259: The file is damaged or not a store.
  ///   - 134080: Access to the file is denied, or the type does not allow the URL.
  package class func checkPersistentStore(
    type: NSPersistentStore.StoreType, at url: URL
  ) throws {
    try StoreFileAccess(type.rawValue, at: url).check()
  }
}
