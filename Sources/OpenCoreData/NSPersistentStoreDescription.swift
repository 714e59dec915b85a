public import Foundation
internal import OpenObjectGraph

/// A description of how a container opens a store.
///
/// > Concurrency: Use a description on one thread at a time.
/// > Reference: Apple, NSPersistentStoreDescription.
open class NSPersistentStoreDescription: NSObject, NSCopying {
  /// The type of the store, such as `NSSQLiteStoreType`. The initializer derives the type from the
  /// URL.
  open var type = NSSQLiteStoreType
  /// The name of the model configuration whose entities the store contains; nil if the store
  /// contains all entities.
  open var configuration: String?
  /// The URL of the store, which is a file or a database on a server; nil for a store type that
  /// needs no URL.
  ///
  /// The file URL of `/dev/null` describes an in-memory SQLite store.
  open var url: URL?
  /// The options for opening the store.
  ///
  /// Automatic migration and the inference of mapping models are on by default.
  public private(set) var options: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
    NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
  ]
  /// Whether the store is opened asynchronously on a background queue. The default is false.
  open var shouldAddStoreAsynchronously = false

  /// Creates a description of the store at a URL.
  ///
  /// If a store type is registered for the URL's scheme, such as `postgresql`, the description has
  /// this store type. Otherwise, the type is `NSSQLiteStoreType`.
  ///
  /// - Parameter url: The URL of the store.
  public init(url: URL) {
    self.url = url
    type = StoreTypes.type(NSSQLiteStoreType, at: url)
  }

  /// Creates a description of an in-memory SQLite store.
  public override convenience init() { self.init(url: URL(fileURLWithPath: "/dev/null")) }

  /// A string with the type, the URL, the configuration and the keys of the options. A password in
  /// the URL is omitted.
  open override var description: String {
    DebugText.text(
      of: self,
      [
        "type": DebugText.Verbatim(type), "url": url, "configuration": configuration,
        "options": options.isEmpty ? nil : options.keys.sorted().map(DebugText.Verbatim.init),
      ])
  }

  /// Returns whether another object is a store description with the same type, configuration, URL
  /// and options, and with the same value of ``shouldAddStoreAsynchronously``.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentStoreDescription else { return false }
    return self === other
      || type == other.type && configuration == other.configuration && url == other.url
        && options == other.options
        && shouldAddStoreAsynchronously == other.shouldAddStoreAsynchronously
  }

  /// A hash value computed from the type and the URL.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(type)
    hasher.combine(url)
    return hasher.finalize()
  }

  /// Sets or removes an option for opening the store.
  ///
  /// - Parameters:
  ///   - option: The value of the option, or nil to remove the option.
  ///   - key: The key of the option.
  open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

  /// Whether the store is opened as read-only. The default is false.
  open var isReadOnly: Bool {
    get { flag(NSReadOnlyPersistentStoreOption) }
    set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
  }

  /// The maximum time, in seconds, to wait until other coordinators and processes release the
  /// store's locks. The default is 240. With 0 or a negative number, operations do not wait.
  open var timeout: TimeInterval {
    get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
  }

  /// The values of the SQLite pragmas that are executed when the store is opened, keyed by pragma
  /// name; empty by default.
  open var sqlitePragmas: [String: NSObject] {
    (options[NSSQLitePragmasOption] as? NSDictionary) as? [String: NSObject] ?? [:]
  }

  /// Sets a SQLite pragma that is executed when the store is opened.
  ///
  /// - Parameters:
  ///   - value: The value of the pragma, or nil to remove the pragma from the options.
  ///   - name: The name of the pragma.
  open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    setOption(NSDictionary(dictionary: pragmas), forKey: NSSQLitePragmasOption)
  }

  /// Whether a store with a different model version is migrated when the store is opened. The
  /// default is true.
  open var shouldMigrateStoreAutomatically: Bool {
    get { flag(NSMigratePersistentStoresAutomaticallyOption) }
    set {
      setOption(NSNumber(value: newValue), forKey: NSMigratePersistentStoresAutomaticallyOption)
    }
  }

  /// Whether a migration infers the mapping model if the program does not contain a mapping model
  /// for the two model versions. The default is true.
  open var shouldInferMappingModelAutomatically: Bool {
    get { flag(NSInferMappingModelAutomaticallyOption) }
    set { setOption(NSNumber(value: newValue), forKey: NSInferMappingModelAutomaticallyOption) }
  }

  private func flag(_ key: String) -> Bool { (options[key] as? NSNumber)?.boolValue ?? false }

  /// Returns a copy of the description. Changes to the copy do not affect this description.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentStoreDescription()
    copy.type = type
    copy.configuration = configuration
    copy.url = url
    copy.options = options
    copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
    return copy
  }
}

extension NSPersistentStoreCoordinator {
  /// Opens the store that a description specifies, and adds the store to the coordinator.
  ///
  /// By default, the method calls the block before it returns. If `shouldAddStoreAsynchronously` is
  /// true, the method returns immediately, and the coordinator opens the store and calls the block
  /// on the queue of `perform(_:)`. The coordinator therefore opens such stores one after the
  /// other, in the order of the calls.
  ///
  /// - Parameters:
  ///   - storeDescription: The description of the store.
  ///   - block: A closure that is called once, with the description and an error. The error is nil
  ///     if the store was opened. Otherwise, the error is one that
  ///     `addPersistentStore(ofType:configurationName:at:options:)` throws.
  /// > Concurrency: Do not change the description until the block is called.
  public func addPersistentStore(
    with storeDescription: NSPersistentStoreDescription,
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    BuiltInStores.register()
    // The caller must not change the description after this call, and the handler is called only
    // once.
    nonisolated(unsafe) let add = {
      do {
        try self.addPersistentStore(
          ofType: storeDescription.type, configurationName: storeDescription.configuration,
          at: storeDescription.url, options: storeDescription.options)
        block(storeDescription, nil)
      } catch {
        block(storeDescription, error)
      }
    }
    if storeDescription.shouldAddStoreAsynchronously {
      perform { add() }
    } else {
      add()
    }
  }
}
