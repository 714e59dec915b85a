public import Foundation
internal import OpenObjectGraph

/// A description of how a container opens a store.
///
/// > Reference: Apple, NSPersistentStoreDescription.
open class NSPersistentStoreDescription: NSObject, NSCopying {
  /// The type of the store. The default is `NSSQLiteStoreType`.
  open var type = NSSQLiteStoreType
  /// The name of a configuration of the model, or nil for all entities.
  open var configuration: String?
  /// The URL of the store's file. The URL of `/dev/null` describes an in-memory SQLite store.
  open var url: URL?
  /// The options that the store is opened with.
  public private(set) var options: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
    NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
  ]
  /// Whether the store is opened asynchronously on a background queue.
  open var shouldAddStoreAsynchronously = false

  /// Creates a description of a SQLite store in a file, or of a store whose type is the URL's
  /// scheme.
  ///
  /// - Parameter url: The URL of the store.
  public init(url: URL) {
    self.url = url
    type = StoreTypes.type(NSSQLiteStoreType, at: url)
  }

  /// Creates a description of an in-memory SQLite store.
  public override convenience init() { self.init(url: URL(fileURLWithPath: "/dev/null")) }

  /// A text with the type, the location and the names of the options. A password in the URL is
  /// omitted.
  open override var description: String {
    DebugText.text(
      of: self,
      [
        "type": DebugText.Verbatim(type), "url": url, "configuration": configuration,
        "options": options.isEmpty ? nil : options.keys.sorted().map(DebugText.Verbatim.init),
      ])
  }

  /// Sets an option.
  ///
  /// - Parameters:
  ///   - option: The value of the option, or nil to remove the option.
  ///   - key: The key of the option.
  open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

  /// Whether the store is opened as read-only.
  open var isReadOnly: Bool {
    get { flag(NSReadOnlyPersistentStoreOption) }
    set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
  }

  /// The maximum time to wait for locks, in seconds.
  open var timeout: TimeInterval {
    get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
  }

  /// The SQLite pragmas by name.
  open var sqlitePragmas: [String: NSObject] {
    (options[NSSQLitePragmasOption] as? NSDictionary) as? [String: NSObject] ?? [:]
  }

  /// Sets a SQLite pragma.
  ///
  /// - Parameters:
  ///   - value: The value of the pragma, or nil to remove it.
  ///   - name: The name of the pragma.
  open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    setOption(NSDictionary(dictionary: pragmas), forKey: NSSQLitePragmasOption)
  }

  /// Whether a store of an older model version is migrated when it is opened.
  open var shouldMigrateStoreAutomatically: Bool {
    get { flag(NSMigratePersistentStoresAutomaticallyOption) }
    set {
      setOption(NSNumber(value: newValue), forKey: NSMigratePersistentStoresAutomaticallyOption)
    }
  }

  /// Whether the mapping of a migration is inferred from the two models.
  open var shouldInferMappingModelAutomatically: Bool {
    get { flag(NSInferMappingModelAutomaticallyOption) }
    set { setOption(NSNumber(value: newValue), forKey: NSInferMappingModelAutomaticallyOption) }
  }

  private func flag(_ key: String) -> Bool { (options[key] as? NSNumber)?.boolValue ?? false }

  /// Returns an independent description with the same contents.
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
  /// Opens the store of a description and adds it.
  ///
  /// The call returns after the store was added, unless the description adds its store
  /// asynchronously.
  ///
  /// - Parameters:
  ///   - storeDescription: The description of the store.
  ///   - block: A closure that is called once, with the error if the store cannot be opened.
  public func addPersistentStore(
    with storeDescription: NSPersistentStoreDescription,
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    BuiltInStores.register()
    // The description is not changed any more once it was handed over; the handler is called once.
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
      DispatchQueue.global().async { add() }
    } else {
      add()
    }
  }
}
