public import Foundation
internal import OpenObjectGraph

/// Describes how a container opens one store.
///
/// > Reference: Apple, NSPersistentStoreDescription.
open class NSPersistentStoreDescription: NSObject, NSCopying {
  /// The type of the store; `NSSQLiteStoreType` by default.
  open var type = NSSQLiteStoreType
  /// The configuration of the model; nil for all entities.
  open var configuration: String?
  /// The store's file; `/dev/null` for an in-memory SQLite store.
  open var url: URL?
  /// The options that the store is opened with.
  public private(set) var options: [String: NSObject] = [
    NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
    NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
  ]
  /// Whether the store is added later, on a background queue.
  open var shouldAddStoreAsynchronously = false

  /// Describes a store: a SQLite store in a file, or a store whose type is the URL's scheme.
  public init(url: URL) {
    self.url = url
    type = StoreTypes.type(NSSQLiteStoreType, at: url)
  }

  /// Describes an in-memory SQLite store.
  public override convenience init() { self.init(url: URL(fileURLWithPath: "/dev/null")) }

  /// Type, location and option names; a password in the URL is omitted.
  open override var description: String {
    DebugText.text(
      of: self,
      [
        "type": DebugText.Verbatim(type), "url": url, "configuration": configuration,
        "options": options.isEmpty ? nil : options.keys.sorted().map(DebugText.Verbatim.init),
      ])
  }

  /// Sets an option; nil removes it.
  open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

  /// Whether the store is opened as read-only.
  open var isReadOnly: Bool {
    get { flag(NSReadOnlyPersistentStoreOption) }
    set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
  }

  /// The maximum wait for locks, in seconds.
  open var timeout: TimeInterval {
    get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
  }

  /// SQLite pragmas by name.
  open var sqlitePragmas: [String: NSObject] {
    (options[NSSQLitePragmasOption] as? NSDictionary) as? [String: NSObject] ?? [:]
  }

  /// Sets a SQLite pragma; nil removes it.
  open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    setOption(NSDictionary(dictionary: pragmas), forKey: NSSQLitePragmasOption)
  }

  /// Whether a store of an older model is migrated when it is opened.
  open var shouldMigrateStoreAutomatically: Bool {
    get { flag(NSMigratePersistentStoresAutomaticallyOption) }
    set {
      setOption(NSNumber(value: newValue), forKey: NSMigratePersistentStoresAutomaticallyOption)
    }
  }

  /// Whether the mapping for a migration is worked out from the two models.
  open var shouldInferMappingModelAutomatically: Bool {
    get { flag(NSInferMappingModelAutomaticallyOption) }
    set { setOption(NSNumber(value: newValue), forKey: NSInferMappingModelAutomaticallyOption) }
  }

  private func flag(_ key: String) -> Bool { (options[key] as? NSNumber)?.boolValue ?? false }

  /// An independent description with the same contents.
  ///
  /// - Returns: The copy.
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
  /// Adds the store that a description describes.
  ///
  /// - Parameter block: Called once, before the call returns unless the description adds the store asynchronously.
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
