public import Foundation

extension NSPersistentStore {
  /// A type of store that a coordinator can open.
  ///
  /// > Reference: Apple, NSPersistentStore.StoreType.
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    /// The type string, such as `SQLite` or `InMemory`.
    public let rawValue: String

    /// Creates a store type from its type string.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A store in a SQLite file.
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
    /// An in-memory store.
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
    /// A store in a binary file, which every save rewrites completely.
    public static let binary = StoreType(rawValue: NSBinaryStoreType)
    /// A store in an XML file, which every save rewrites completely.
    public static let xml = StoreType(rawValue: NSXMLStoreType)
  }
}

/// The type string of a store in a binary file, which every save rewrites completely.
public let NSBinaryStoreType = "Binary"
/// The type string of a store in an XML file, which every save rewrites completely.
public let NSXMLStoreType = "XML"

extension NSPersistentStoreCoordinator {
  /// Opens or creates a store of the given type, and adds the store to the coordinator.
  ///
  /// The method calls ``addPersistentStore(ofType:configurationName:at:options:)`` with the type
  /// string.
  ///
  /// - Parameters:
  ///   - type: The type of the store.
  ///   - configuration: The name of a configuration of the model; nil for all entities.
  ///   - storeURL: The URL of the store; an in-memory store does not access the URL.
  ///   - options: Store options by key; nil for no options.
  /// - Returns: The added store.
  /// - Throws: The same errors as ``addPersistentStore(ofType:configurationName:at:options:)``.
  /// > Reference: Apple, NSPersistentStoreCoordinator,
  /// > addPersistentStore(type:configuration:at:options:).
  @discardableResult
  public func addPersistentStore(
    type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
  }

  /// The registered store types, as the keys of a dictionary.
  ///
  /// On Apple platforms, the values contain the store classes. Here, the values have no meaning.
  ///
  /// > Reference: Apple, NSPersistentStoreCoordinator, registeredStoreTypes.
  public class var registeredStoreTypes: [String: NSValue] {
    Dictionary(uniqueKeysWithValues: StoreTypes.names.map { ($0, NSNumber(value: true)) })
  }

  /// Registers a class for a store type; coordinators then open stores of this type as instances of
  /// the class.
  ///
  /// Register a class before you add the first store of its type. Coordinators create instances
  /// with `init(persistentStoreCoordinator:configurationName:at:options:)`.
  ///
  /// - Parameters:
  ///   - storeClass: A subclass of `NSAtomicStore` or `NSIncrementalStore`; nil removes the class
  ///     that the application registered for the type. If the class is not a subclass of
  ///     `NSPersistentStore`, the method logs a message and does nothing else.
  ///   - storeType: The type string.
  /// > Concurrency: Usable on any thread.
  /// > Reference: Apple, NSPersistentStoreCoordinator, registerStoreClass(_:forStoreType:).
  public class func registerStoreClass(
    _ storeClass: AnyClass?, forStoreType storeType: String
  ) {
    if storeClass == nil { return StoreTypes.register(storeType, nil) }
    guard let storeClass = storeClass as? NSPersistentStore.Type else {
      return GraphLog.error(
        "The class \(storeClass.map { "\($0)" } ?? "") was not registered for stores of type \(storeType) because it is "
          + "not a subclass of NSAtomicStore or NSIncrementalStore.")
    }
    StoreTypes.register(storeType, storeClass)
  }

  /// Registers a class for a store type, as ``registerStoreClass(_:forStoreType:)`` does for a type
  /// string.
  ///
  /// - Parameters:
  ///   - storeClass: A subclass of `NSAtomicStore` or `NSIncrementalStore`; nil removes the class
  ///     that the application registered for the type. If the class is not a subclass of
  ///     `NSPersistentStore`, the method logs a message and does nothing else.
  ///   - type: The store type.
  /// > Concurrency: Usable on any thread.
  /// > Reference: Apple, NSPersistentStoreCoordinator, registerStoreClass(_:type:).
  public class func registerStoreClass(
    _ storeClass: AnyClass?, type: NSPersistentStore.StoreType
  ) {
    registerStoreClass(storeClass, forStoreType: type.rawValue)
  }

  /// Returns the URL of a store; `/dev/null` for a store without a URL.
  ///
  /// > Reference: Apple, NSPersistentStoreCoordinator, url(for:).
  public func url(for store: NSPersistentStore) -> URL {
    store.url ?? URL(fileURLWithPath: "/dev/null")
  }

  /// Returns whether a store has the given URL, without changing the URL of the store.
  ///
  /// The URL of an open store cannot be changed. Remove the store and add it with the new URL, or
  /// call ``migratePersistentStore(_:to:options:withType:)``.
  ///
  /// - Parameters:
  ///   - url: The URL to compare with the URL of the store.
  ///   - store: A store of the coordinator.
  /// - Returns: true if the store already has the URL; false otherwise.
  /// > Reference: Apple, NSPersistentStoreCoordinator, setURL(_:for:).
  @discardableResult
  public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
    store.url?.standardizedFileURL == url.standardizedFileURL
  }

  /// Copies every object to a new store, which replaces the old store in the coordinator ("Save
  /// As").
  ///
  /// The new store has its own identifier. Each object has the same key in both stores, and new
  /// objects do not receive the keys of objects that were deleted from the old store. After the
  /// call, registered objects belong to the new store. Existing ids still refer to the old store,
  /// whose file remains.
  ///
  /// The new store receives the metadata of the old store, including metadata that is not yet
  /// saved. The new store receives neither the history of the old store nor the positions of named
  /// history consumers.
  ///
  /// After an error, the coordinator still has the old store, and the call can be repeated.
  ///
  /// - Parameters:
  ///   - store: A store of the coordinator. No context may have unsaved changes to objects of the
  ///     store.
  ///   - storeURL: The URL of the new store. There must be no store and no file, except an empty
  ///     file or an empty database, at this URL. Ignored for an in-memory store.
  ///   - options: The options of the new store, by key; nil for no options. If the options make the
  ///     store read-only, the method first writes the objects to the new store, and then makes the
  ///     new store read-only.
  ///   - storeType: The type of the new store, which may differ from the type of the old store.
  /// - Returns: The new store.
  /// - Throws: If the new store cannot be created, the errors of
  ///   ``addPersistentStore(ofType:configurationName:at:options:)``. Otherwise, a `CocoaError`, for
  ///   example with one of the following codes:
  ///   - 134070: A store already exists at the URL, `store` does not belong to the coordinator, or
  ///     a context writes to `store` during the call.
  ///   - 134030: The new store cannot be written, or a property list cannot contain a value of the
  ///     unsaved metadata.
  ///   - 134091: `storeType` is the type of a custom store.
  /// > Reference: Apple, NSPersistentStoreCoordinator,
  /// > migratePersistentStore(_:to:options:withType:). Differs: D-465.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    withType storeType: String
  ) throws -> NSPersistentStore {
    try StoreSaveAs(
      coordinator: self, source: store, url: storeURL, type: storeType, options: options
    ).run()
  }

  /// Copies every object to a new store of the given type, which replaces the old store in the
  /// coordinator.
  ///
  /// The method calls ``migratePersistentStore(_:to:options:withType:)`` with the type string.
  ///
  /// - Parameters:
  ///   - store: A store of the coordinator. No context may have unsaved changes to objects of the
  ///     store.
  ///   - storeURL: The URL of the new store. There must be no store and no file, except an empty
  ///     file or an empty database, at this URL. Ignored for an in-memory store.
  ///   - options: The options of the new store, by key; nil for no options.
  ///   - type: The type of the new store, which may differ from the type of the old store.
  /// - Returns: The new store.
  /// - Throws: The same errors as ``migratePersistentStore(_:to:options:withType:)``.
  /// > Reference: Apple, NSPersistentStoreCoordinator, migratePersistentStore(_:to:options:type:).
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
    type: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    try migratePersistentStore(store, to: storeURL, options: options, withType: type.rawValue)
  }
}
