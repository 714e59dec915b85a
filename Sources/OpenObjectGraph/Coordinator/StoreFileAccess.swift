internal import Foundation
internal import OpenStoreContract

/// Access to the contents of a store that does not have to be open.
///
/// A coordinator creates a value for each operation. The value never opens a store for a model. An
/// operation that replaces or deletes the contents also takes a coordinator, and first removes the
/// store from it (``StoreRemoval``).
struct StoreFileAccess {
  /// The store's type, which handles the scheme of the URL.
  private let type: String
  private let url: URL
  private let options: [AnyHashable: Any]?
  private let opener: StoreTypes.Opener

  /// Creates access to a store.
  ///
  /// - Throws: `CocoaError` 134000 for an unknown type; 134080 for a URL that stores of the type
  ///   cannot have.
  init(_ type: String, at url: URL, _ options: [AnyHashable: Any]? = nil) throws {
    self.type = StoreTypes.type(type, at: url)
    opener = try StoreTypes.opener(of: self.type)
    if opener.files != nil { try StoreTypes.requireFileURL(url, of: self.type) }
    self.url = url
    self.options = options
  }

  // MARK: Metadata

  /// Implements `metadataForPersistentStore(ofType:at:options:)`.
  func metadata() throws -> [String: Any] {
    if let storeClass = opener.storeClass {
      return try storeClass.metadataForPersistentStore(with: url)
    }
    guard let files = opener.files else { return [NSStoreTypeKey: type] }
    return try surfacingErrors { () throws -> [String: Any] in
      try files.metadata(configuration).mapValues(PropertyListValue.boxed)
    }
  }

  /// Implements `setMetadata(_:forPersistentStoreOfType:at:options:)`.
  func setMetadata(_ metadata: [String: Any]?) throws {
    if let storeClass = opener.storeClass {
      return try storeClass.setMetadata(metadata, forPersistentStoreAt: url)
    }
    guard let files = opener.files else { return }
    let values = metadata ?? [:]
    let plain = values.compactMapValues(PropertyListValue.plain)
    try surfacingErrors {
      if let failure = PropertyListValue.failure(of: values) { throw failure }
      try files.setMetadata(plain, configuration)
    }
  }

  // MARK: Contents

  /// Implements `checkPersistentStore(type:at:)`.
  func check() throws {
    guard let files = try files() else {
      throw CocoaError.make(
        .persistentStoreUnsupportedRequestType, "An in-memory store has no file.", path: url.path)
    }
    try surfacingErrors { try files.check(configuration) }
  }

  /// Implements `destroyPersistentStore(at:ofType:options:)`.
  func destroy(in coordinator: NSPersistentStoreCoordinator) throws {
    let files = try files()
    let attached = coordinator.attachedStores.stores(ofType: type, at: url)
    try StoreRemoval(of: attached, from: coordinator).run { try destroy(files) }
  }

  /// Deletes the contents of a store that no coordinator of the program has open.
  func destroy() throws { try destroy(files()) }

  private func destroy(_ files: StoreTypes.FileOperations?) throws {
    // A store at /dev/null has no file.
    guard let files, url.path != "/dev/null" else { return }
    try surfacingErrors { try files.destroy(briefConfiguration, isForced) }
  }

  /// Implements
  /// `replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)`.
  func replace(
    withStoreAt source: URL, in coordinator: NSPersistentStoreCoordinator
  ) throws {
    guard let files = try files() else { return }
    try StoreTypes.requireFileURL(source, of: type)
    let replaced = try replacedStores(among: coordinator.attachedStores, source: source)
    try StoreRemoval(of: replaced, from: coordinator).run {
      try surfacingErrors { try files.replace(briefConfiguration, source, isForced) }
    }
  }

  /// Returns the attached stores that must be closed while the store is replaced.
  private func replacedStores(
    among stores: AttachedStores, source: URL
  ) throws -> [NSPersistentStore] {
    // A store in memory or on a server cannot be replaced, so it stays open.
    guard url.isFileURL, !url.isInMemory else { return [] }
    let replaced = stores.stores(ofType: type, at: url)
    // A store that replaces itself does not change, so it stays open.
    let sources = stores.stores(ofType: type, at: source)
    if replaced.contains(where: { store in sources.contains { $0 === store } }) { return [] }
    // If the source is missing, the destination stays open.
    if !replaced.isEmpty, !FileManager.default.fileExists(atPath: source.path) {
      throw CocoaError.make(
        StoreError(.missingFile, "The store file does not exist.", path: source.path))
    }
    return replaced
  }

  // MARK: Operations and settings

  /// Returns the file operations of the store's type; nil for an in-memory store.
  ///
  /// - Throws: `CocoaError` 134091 for a custom store, whose files only the application knows.
  private func files() throws -> StoreTypes.FileOperations? {
    guard opener.storeClass == nil else {
      throw CocoaError.make(
        .persistentStoreUnsupportedRequestType,
        "Stores of type \"\(type)\" are custom stores. The application must delete and replace their files itself."
      )
    }
    return opener.files
  }

  private var configuration: StoreConfiguration { StoreConfiguration(url: url, options: options) }

  /// The configuration for work that fails while the store is in use.
  ///
  /// The timeout is two seconds, unless the options contain another timeout.
  private var briefConfiguration: StoreConfiguration {
    var configuration = self.configuration
    if options?[NSPersistentStoreTimeoutOption] == nil { configuration.timeout = 2 }
    return configuration
  }

  private var isForced: Bool {
    (options?[NSPersistentStoreForceDestroyOption] as? NSNumber)?.boolValue ?? false
  }
}
