public import Foundation
internal import OpenStoreContract

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
  /// - Throws: `CocoaError` 134000 for an unknown type, 260 if the file is missing, 259 if the file
  ///   is damaged or not a store, 134080 if the file cannot be read for another reason; for a
  ///   custom store, any error that the method of the store class throws.
  /// > Reference: Apple, NSPersistentStoreCoordinator,
  /// > metadataForPersistentStore(ofType:at:options:).
  public class func metadataForPersistentStore(
    ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    let storeType = StoreTypes.type(storeType, at: url)
    let opener = try StoreTypes.opener(of: storeType)
    if let storeClass = opener.storeClass {
      return try storeClass.metadataForPersistentStore(with: url)
    }
    guard let files = opener.files else { return [NSStoreTypeKey: storeType] }
    try StoreTypes.requireFileURL(url, of: storeType)
    let configuration = StoreConfiguration(url: url, options: options)
    return try mapping { () throws(StoreError) -> [String: Any] in
      try files.metadata(configuration)
    }
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
  /// - Throws: `CocoaError` 134000 for an unknown type; 134030 if a property list cannot contain a
  ///   value; other `CocoaError`s if the file is missing, is not a store, or cannot be written; for a
  ///   custom store, any error that the method of the store class throws.
  /// > Reference: Apple, NSPersistentStoreCoordinator,
  /// > setMetadata(_:forPersistentStoreOfType:at:options:).
  public class func setMetadata(
    _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    let storeType = StoreTypes.type(storeType, at: url)
    let opener = try StoreTypes.opener(of: storeType)
    if let storeClass = opener.storeClass {
      return try storeClass.setMetadata(metadata, forPersistentStoreAt: url)
    }
    guard let files = opener.files else { return }
    try StoreTypes.requireFileURL(url, of: storeType)
    let plain = (metadata ?? [:]).compactMapValues(PropertyListValue.plain)
    try mapping { () throws(StoreError) in
      if let failure = PropertyListValue.failure(of: metadata ?? [:]) { throw failure }
      try files.setMetadata(plain, StoreConfiguration(url: url, options: options))
    }
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

  /// Implements `destroyPersistentStore(at:ofType:options:)`.
  final func destroy(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]?
  ) throws {
    let storeType = StoreTypes.type(storeType, at: url)
    let files = try Self.files(of: storeType)
    if files != nil { try StoreTypes.requireFileURL(url, of: storeType) }
    try removing(attachedStores(ofType: storeType, at: url)) {
      try Self.destroyContents(at: url, files, options)
    }
  }

  /// Deletes the contents of a store that the coordinator does not have.
  static func destroyContents(
    at url: URL, _ files: StoreTypes.FileOperations?, _ options: [AnyHashable: Any]? = nil
  ) throws {
    // A store at /dev/null has no file.
    guard let files, url.path != "/dev/null" else { return }
    try mapping { () throws(StoreError) in
      try files.destroy(.brief(url, options), isForced(options))
    }
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

  /// Implements
  /// `replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)`.
  final func replace(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]?,
    withPersistentStoreFrom sourceURL: URL, ofType storeType: String
  ) throws {
    let storeType = StoreTypes.type(storeType, at: destinationURL)
    guard let files = try Self.files(of: storeType) else { return }
    try StoreTypes.requireFileURL(destinationURL, of: storeType)
    try StoreTypes.requireFileURL(sourceURL, of: storeType)
    // A store in memory or on a server cannot be replaced, so it stays open.
    let hasFile = destinationURL.isFileURL && !destinationURL.isInMemory
    var stores = hasFile ? attachedStores(ofType: storeType, at: destinationURL) : []
    // A store that replaces itself does not change, so it stays open.
    let sources = attachedStores(ofType: storeType, at: sourceURL)
    if stores.contains(where: { store in sources.contains { $0 === store } }) { stores = [] }
    // If the source is missing, the destination stays open.
    if !stores.isEmpty, !FileManager.default.fileExists(atPath: sourceURL.path) {
      throw CocoaError.make(
        StoreError(.missingFile, "The store file does not exist.", path: sourceURL.path))
    }
    try removing(stores) {
      try mapping { () throws(StoreError) in
        try files.replace(
          .brief(destinationURL, destinationOptions), sourceURL, Self.isForced(destinationOptions))
      }
    }
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

  /// Closes and removes stores, and runs work on their files. If the work fails, the method adds
  /// the stores again, except stores that their files no longer contain.
  ///
  /// - Throws: The error of the work. If a store cannot be added again, the error has the same code
  ///   and contains the error of the addition under `NSUnderlyingErrorKey`, and both errors under
  ///   `NSDetailedErrorsKey`.
  package func removing(_ stores: [NSPersistentStore], during work: () throws -> Void) throws {
    let positions = persistentStores.map(\.position)
    do {
      for store in stores { try remove(store) }
      try work()
    } catch {
      let failure = restore(stores, after: error)
      sortStores(by: positions)
      throw failure
    }
  }

  /// Adds removed stores again after an error, and returns the error to throw.
  private func restore(_ stores: [NSPersistentStore], after failure: any Error) -> any Error {
    var result = failure
    for store in stores where !persistentStores.contains(where: { $0 === store }) {
      do {
        try Self.requireContents(of: store)
        let added = try addAgain(store)
        guard added.isSame(as: store) else { continue }
        added.adoptPendingMetadata(of: store)
        if store.isReadOnly { added.isReadOnly = true }
      } catch {
        result = Self.closed(store, after: failure, error)
      }
    }
    return result
  }

  /// Requires that the file of a removed store still contains the store. Otherwise, adding the
  /// store again would create a new store.
  private static func requireContents(of store: NSPersistentStore) throws {
    guard let url = store.url, !url.isInMemory, try StoreTypes.opener(of: store.type).files != nil
    else { return }
    let metadata = try metadataForPersistentStore(
      ofType: store.type, at: url, options: store.options)
    if metadata[NSStoreUUIDKey] as? String == store.backend.identifier { return }
    throw CocoaError.make(
      .persistentStoreOpen, "The file no longer contains the store.", path: url.path)
  }

  /// Adds a removed store with the type, configuration, URL and options of its first addition.
  @discardableResult
  package func addAgain(_ store: NSPersistentStore) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: store.type, configurationName: store.addedConfigurationName, at: store.url,
      options: store.options)
  }

  /// Returns the error for a store that could not be changed and then could not be reopened.
  private static func closed(
    _ store: NSPersistentStore, after failure: any Error, _ error: any Error
  ) -> any Error {
    let cause = failure as? CocoaError
    var userInfo = cause?.userInfo ?? [:]
    userInfo[NSUnderlyingErrorKey] = error
    userInfo[NSDetailedErrorsKey] = [failure, error]
    return CocoaError.make(
      cause?.code ?? .persistentStoreOpen,
      "\(failure.localizedDescription) The store is closed, because it cannot be opened again: \(error.localizedDescription)",
      path: store.url?.path, userInfo: userInfo)
  }

  /// Checks the complete file of a store without opening the store for a model or changing the
  /// file.
  ///
  /// - Parameters:
  ///   - type: The type of the store.
  ///   - url: The URL of the store.
  /// - Throws: `CocoaError` 260 if the file is missing; 259 if it is damaged or not a store; 134091
  ///   for a custom or in-memory store.
  package class func checkPersistentStore(
    type: NSPersistentStore.StoreType, at url: URL
  ) throws {
    guard let files = try files(of: type.rawValue) else {
      throw CocoaError.make(
        .persistentStoreUnsupportedRequestType, "An in-memory store has no file.", path: url.path)
    }
    try StoreTypes.requireFileURL(url, of: type.rawValue)
    try mapping { () throws(StoreError) in
      try files.check(StoreConfiguration(url: url, options: nil))
    }
  }

  /// Returns the file operations of a store type; nil for an in-memory store.
  ///
  /// - Throws: `CocoaError` 134000 for an unknown type; 134091 for a custom store, whose files only
  ///   the application knows.
  private static func files(of storeType: String) throws -> StoreTypes.FileOperations? {
    let opener = try StoreTypes.opener(of: storeType)
    guard opener.storeClass == nil else {
      throw CocoaError.make(
        .persistentStoreUnsupportedRequestType,
        "Stores of type \"\(storeType)\" are custom stores. The application must delete and replace their files itself."
      )
    }
    return opener.files
  }

  private static func isForced(_ options: [AnyHashable: Any]?) -> Bool {
    (options?[NSPersistentStoreForceDestroyOption] as? NSNumber)?.boolValue ?? false
  }

  /// Runs work of a store, and converts the errors of the store to errors with Apple's codes.
  private class func mapping<Result>(_ work: () throws(StoreError) -> Result) throws -> Result {
    do throws(StoreError) { return try work() } catch { throw CocoaError.surfaced(error) }
  }
}

extension StoreConfiguration {
  /// Returns the configuration for work that fails while the store is in use.
  ///
  /// The timeout is two seconds, unless the options contain another timeout.
  fileprivate static func brief(_ url: URL, _ options: [AnyHashable: Any]?) -> StoreConfiguration {
    var configuration = StoreConfiguration(url: url, options: options)
    if options?[NSPersistentStoreTimeoutOption] == nil { configuration.timeout = 2 }
    return configuration
  }
}
