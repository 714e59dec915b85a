public import Foundation
internal import OpenStoreContract

// What can be done with stores' files without adding them.

extension NSPersistentStoreCoordinator {
  /// Reads a store's metadata without opening it for a model.
  ///
  /// Neither changes nor creates a file. In-memory stores are not supported.
  ///
  /// - Returns: The values by name.
  /// - Throws: `CocoaError` if the file is missing or not a store.
  /// > Reference: Apple, NSPersistentStoreCoordinator, metadataForPersistentStore(ofType:at:options:).
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

  /// Reads a store's metadata without opening it for a model.
  ///
  /// - Returns: The values by name.
  /// - Throws: `CocoaError` if the file is missing or not a store.
  /// > Reference: Apple, NSPersistentStoreCoordinator, metadataForPersistentStore(type:at:options:).
  public class func metadataForPersistentStore(
    type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
  }

  /// Writes a store's metadata immediately, without opening the store.
  ///
  /// The store's type, its identifier and the versions of its entities are not changed. An open store keeps its
  /// current metadata.
  ///
  /// - Throws: `CocoaError` if the file is missing, is not a store, or cannot be written.
  /// > Reference: Apple, NSPersistentStoreCoordinator, setMetadata(_:forPersistentStoreOfType:at:options:).
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
      try files.setMetadata(plain, StoreConfiguration(url: url, options: options))
    }
  }

  /// Writes a store's metadata immediately, without opening the store.
  ///
  /// - Throws: `CocoaError` if the file is missing, is not a store, or cannot be written.
  /// > Reference: Apple, NSPersistentStoreCoordinator, setMetadata(_:type:at:options:).
  public class func setMetadata(
    _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try setMetadata(
      metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
  }

  /// Deletes the contents of a store, including its log and external values.
  ///
  /// An empty database file remains, because other programs may share it; a damaged file is deleted. A missing file
  /// is not an error. For an in-memory store, the call does nothing.
  ///
  /// - Throws: `CocoaError`, 134090 if a connection has the store open and the options do not set
  ///   `NSPersistentStoreForceDestroyOption`.
  /// > Reference: Apple, NSPersistentStoreCoordinator, destroyPersistentStore(at:ofType:options:).
  public func destroyPersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    let storeType = StoreTypes.type(storeType, at: url)
    guard let files = try Self.files(of: storeType) else { return }
    try StoreTypes.requireFileURL(url, of: storeType)
    try mapping { () throws(StoreError) in
      try files.destroy(.brief(url, options), Self.isForced(options))
    }
  }

  /// Deletes the contents of a store, including its log and external values.
  ///
  /// - Throws: `CocoaError`, 134090 if the store is in use.
  /// > Reference: Apple, NSPersistentStoreCoordinator, destroyPersistentStore(at:type:options:).
  public func destroyPersistentStore(
    at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
  }

  /// Replaces a store with a copy of another store; the destination need not exist.
  ///
  /// The copy includes the source's log, external values and identifier. The destination contains the old store or
  /// the complete copy at every moment, even if the process is killed.
  ///
  /// - Throws: `CocoaError`, 134080 without a source, 134090 if the destination is in use and its options do not set
  ///   `NSPersistentStoreForceDestroyOption`.
  /// > Reference: Apple, NSPersistentStoreCoordinator,
  ///   replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:).
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
    ofType storeType: String
  ) throws {
    let storeType = StoreTypes.type(storeType, at: destinationURL)
    guard let files = try Self.files(of: storeType) else { return }
    try StoreTypes.requireFileURL(destinationURL, of: storeType)
    try StoreTypes.requireFileURL(sourceURL, of: storeType)
    try mapping { () throws(StoreError) in
      try files.replace(
        .brief(destinationURL, destinationOptions), sourceURL, Self.isForced(destinationOptions))
    }
  }

  /// Replaces a store with a copy of another store; the destination need not exist.
  ///
  /// - Throws: `CocoaError`, 134080 without a source, 134090 if the destination is in use.
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

  /// Reads a store's whole file without opening it for a model, and changes nothing.
  ///
  /// - Throws: `CocoaError`, 134080 when the file is missing, no store, or damaged.
  package class func checkPersistentStore(
    type: NSPersistentStore.StoreType, at url: URL
  ) throws {
    guard let files = try files(of: type.rawValue) else {
      throw CocoaError.make(
        .persistentStoreUnsupportedRequestType, "A store in memory has no file.", path: url.path)
    }
    try StoreTypes.requireFileURL(url, of: type.rawValue)
    try mapping { () throws(StoreError) in
      try files.check(StoreConfiguration(url: url, options: nil))
    }
  }

  /// What a kind of store does with files; nil for one in memory.
  ///
  /// - Throws: `CocoaError` for a kind of the application, whose files only the application knows.
  private static func files(of storeType: String) throws -> StoreTypes.FileOperations? {
    let opener = try StoreTypes.opener(of: storeType)
    guard opener.storeClass == nil else {
      throw CocoaError.make(
        .persistentStoreUnsupportedRequestType,
        "Stores of type \"\(storeType)\" are the application's; it deletes and replaces their files itself."
      )
    }
    return opener.files
  }

  private static func isForced(_ options: [AnyHashable: Any]?) -> Bool {
    (options?[NSPersistentStoreForceDestroyOption] as? NSNumber)?.boolValue ?? false
  }

  /// Runs store work and turns its errors into Apple's.
  private class func mapping<Result>(_ work: () throws(StoreError) -> Result) throws -> Result {
    do throws(StoreError) { return try work() } catch { throw CocoaError.surfaced(error) }
  }
}

extension StoreConfiguration {
  /// For work that a store in use refuses: it waits two seconds unless the options say otherwise.
  fileprivate static func brief(_ url: URL, _ options: [AnyHashable: Any]?) -> StoreConfiguration {
    var configuration = StoreConfiguration(url: url, options: options)
    if options?[NSPersistentStoreTimeoutOption] == nil { configuration.timeout = 2 }
    return configuration
  }
}
