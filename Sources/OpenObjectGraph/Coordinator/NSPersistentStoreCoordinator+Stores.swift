public import Foundation

extension NSPersistentStore {
  /// A kind of store.
  ///
  /// > Reference: Apple, NSPersistentStore.StoreType.
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    /// The store's type string.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// A store in a SQLite file.
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
    /// An in-memory store.
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
    /// A store in one binary file that every save writes as a whole.
    public static let binary = StoreType(rawValue: NSBinaryStoreType)
    /// A store in one XML file, which every save rewrites.
    public static let xml = StoreType(rawValue: NSXMLStoreType)
  }
}

/// The type of a store in one binary file that every save writes as a whole.
public let NSBinaryStoreType = "Binary"
/// The type of a store in one XML file that every save writes as a whole.
public let NSXMLStoreType = "XML"

extension NSPersistentStoreCoordinator {
  /// Opens or creates a store and adds it.
  ///
  /// - Returns: The store.
  /// - Throws: The same errors as `addPersistentStore(ofType:configurationName:at:options:)`.
  /// > Reference: Apple, NSPersistentStoreCoordinator, addPersistentStore(type:configuration:at:options:).
  @discardableResult
  public func addPersistentStore(
    type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
  }

  /// The kinds of store that can be added, by type string.
  ///
  /// The values are placeholders for Apple's classes; they have no content.
  ///
  /// > Reference: Apple, NSPersistentStoreCoordinator, registeredStoreTypes. Differs: the values.
  public class var registeredStoreTypes: [String: NSValue] {
    Dictionary(uniqueKeysWithValues: StoreTypes.names.map { ($0, NSNumber(value: true)) })
  }

  /// Registers a class for a store type; stores of this type are opened as instances of the class.
  ///
  /// Register a class before the first store of its type is added. Instances are created with
  /// `init(persistentStoreCoordinator:configurationName:at:options:)`.
  ///
  /// - Parameters:
  ///   - storeClass: A subclass of `NSAtomicStore` or `NSIncrementalStore`; nil removes the type. Other classes are
  ///     ignored and logged.
  ///   - storeType: The type string.
  /// > Concurrency: Usable on any thread.
  /// > Reference: Apple, NSPersistentStoreCoordinator, registerStoreClass(_:forStoreType:).
  public class func registerStoreClass(
    _ storeClass: AnyClass?, forStoreType storeType: String
  ) {
    if storeClass == nil { return StoreTypes.register(storeType, nil) }
    guard let storeClass = storeClass as? NSPersistentStore.Type else {
      return GraphLog.error(
        "The class \(storeClass.map { "\($0)" } ?? "") for stores of type \(storeType) is no subclass of "
          + "NSAtomicStore or NSIncrementalStore; it was not registered.")
    }
    StoreTypes.register(storeType, storeClass)
  }

  /// Registers a class for a store type; stores of this type are opened as instances of the class.
  ///
  /// > Concurrency: Usable on any thread.
  /// > Reference: Apple, NSPersistentStoreCoordinator, registerStoreClass(_:type:).
  public class func registerStoreClass(
    _ storeClass: AnyClass?, type: NSPersistentStore.StoreType
  ) {
    registerStoreClass(storeClass, forStoreType: type.rawValue)
  }

  /// The URL of a store; `/dev/null` for one without a file.
  ///
  /// - Returns: The URL of a store.
  /// > Reference: Apple, NSPersistentStoreCoordinator, url(for:).
  public func url(for store: NSPersistentStore) -> URL {
    store.url ?? URL(fileURLWithPath: "/dev/null")
  }

  /// Changes the URL of a store.
  ///
  /// A SQLite store cannot be moved while it is open: remove it and add it again, or use
  /// `migratePersistentStore(_:to:options:withType:)`.
  ///
  /// - Returns: Whether the store now has the URL.
  /// > Reference: Apple, NSPersistentStoreCoordinator, setURL(_:for:). Differs: only the store's own URL
  ///   succeeds.
  @discardableResult
  public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
    store.url?.standardizedFileURL == url.standardizedFileURL
  }
}
