public import Foundation
package import OpenObjectModel
package import OpenStoreContract
internal import Synchronization

/// The store types that coordinators can open, by type string.
package enum StoreTypes {
  /// The operations with which a coordinator opens stores of one type.
  package struct Opener: Sendable {
    /// Opens or creates a store.
    package var open:
      @Sendable (StoreConfiguration, CompiledModel) throws(StoreError) -> any StoreBackend
    /// The file operations of the type; nil for stores without files.
    package var files: FileOperations?
    /// The URL schemes of stores of the type; empty if the stores of the type are files.
    package var schemes: Set<String> = []
    /// The application's store class; nil for the store types of this library.
    var storeClass: NSPersistentStore.Type?

    /// Creates an opener from its operations.
    ///
    /// - Parameters:
    ///   - open: The operation that opens or creates a store.
    ///   - files: The file operations of the type; nil for stores without files.
    ///   - schemes: The URL schemes of stores of the type; empty if the stores of the type are
    ///     files.
    package init(
      open:
        @escaping @Sendable (StoreConfiguration, CompiledModel) throws(StoreError)
        -> any StoreBackend,
      files: FileOperations? = nil, schemes: Set<String> = []
    ) {
      self.open = open
      self.files = files
      self.schemes = schemes
    }
  }

  /// The operations on a store's file that do not open the store for a model.
  package struct FileOperations: Sendable {
    /// Reads the metadata without changing the file; throws if the file is not a readable store.
    package var metadata: @Sendable (StoreConfiguration) throws(StoreError) -> StoreMetadata
    /// Writes the metadata immediately; throws if the store is missing or cannot be written.
    package var setMetadata:
      @Sendable (StoreMetadata, StoreConfiguration) throws(StoreError) -> Void
    /// Deletes the contents of a store. If the Boolean value is true, the store is deleted even
    /// while it is in use; otherwise, the operation may throw because the store is in use.
    package var destroy: @Sendable (StoreConfiguration, Bool) throws(StoreError) -> Void
    /// Replaces the configured store with a copy of the store at the URL.
    ///
    /// If the Boolean value is true, the configured store is replaced even while it is in use;
    /// otherwise, the operation may throw because the store is in use. The operation also throws if
    /// the store at the URL is missing.
    package var replace: @Sendable (StoreConfiguration, URL, Bool) throws(StoreError) -> Void
    /// Checks the file without opening the store for a model, and throws if the file is damaged.
    package var check: @Sendable (StoreConfiguration) throws(StoreError) -> Void
    /// Reads the model that a store contains; nil if the store contains no model. Throws if the
    /// store or the model cannot be read.
    package var model: @Sendable (StoreConfiguration) throws(StoreError) -> NSManagedObjectModel?
    /// Checkpoints a store and deletes its log, unless other processes use the store.
    package var settle: @Sendable (StoreConfiguration) throws(StoreError) -> Void
    /// Calls a closure that creates a new store at the URL. The operation then replaces the
    /// configured store with the new store.
    ///
    /// No other process writes to the configured store during the call. The operation throws the
    /// error of the closure, or a `StoreError` if the new store cannot replace the configured
    /// store.
    package var rebuild: @Sendable (StoreConfiguration, URL, () throws -> Void) throws -> Void
    /// The operations with which the type migrates its stores; nil if the type has none.
    package var migration: MigrationOperations?
    /// Returns the URL at which ``rebuild`` creates the new store. If this function or its result
    /// is nil, the new store is a hidden file next to the old file.
    package var newPlace: (@Sendable (URL) -> URL?)?
    /// A function that waits until no coordinator or process migrates a store. Other coordinators
    /// and processes that call the function for the same store wait until the caller calls the
    /// returned function.
    package typealias Exclusion = @Sendable (StoreConfiguration) throws -> @Sendable () -> Void

    /// The function that a migration calls before it starts, to prevent simultaneous migrations of
    /// the store; nil for store types that detect simultaneous migrations in another way.
    package var excludeMigrations: Exclusion?

    /// Creates file operations.
    ///
    /// Each parameter sets the property with the same name. Pass nil for the optional operations
    /// that a store type does not support. By default, `model` returns nil, and `settle` does
    /// nothing.
    package init(
      metadata: @escaping @Sendable (StoreConfiguration) throws(StoreError) -> StoreMetadata,
      setMetadata:
        @escaping @Sendable (StoreMetadata, StoreConfiguration) throws(StoreError) -> Void,
      destroy: @escaping @Sendable (StoreConfiguration, Bool) throws(StoreError) -> Void,
      replace: @escaping @Sendable (StoreConfiguration, URL, Bool) throws(StoreError) -> Void,
      check: @escaping @Sendable (StoreConfiguration) throws(StoreError) -> Void,
      model:
        @escaping @Sendable (StoreConfiguration) throws(StoreError) -> NSManagedObjectModel? = {
          (_) throws(StoreError) in nil
        },
      settle: @escaping @Sendable (StoreConfiguration) throws(StoreError) -> Void = {
        (_) throws(StoreError) in
      },
      rebuild: @escaping @Sendable (StoreConfiguration, URL, () throws -> Void) throws -> Void,
      migration: MigrationOperations? = nil, newPlace: (@Sendable (URL) -> URL?)? = nil,
      excludeMigrations: Exclusion? = nil
    ) {
      self.metadata = metadata
      self.setMetadata = setMetadata
      self.destroy = destroy
      self.replace = replace
      self.check = check
      self.model = model
      self.settle = settle
      self.rebuild = rebuild
      self.migration = migration
      self.newPlace = newPlace
      self.excludeMigrations = excludeMigrations
    }

    /// Returns the model that a store contains; nil if the store contains no model, or if that
    /// model is damaged.
    ///
    /// - Throws: The store's error as a `CocoaError` if the store cannot be read, for example
    ///   134090 if the store is locked.
    package func undamagedModel(
      _ configuration: StoreConfiguration
    ) throws -> NSManagedObjectModel? {
      do throws(StoreError) {
        return try model(configuration)
      } catch {
        guard error.code == .corrupt else { throw CocoaError.surfaced(error) }
        return nil
      }
    }
  }

  /// The operations with which a store type migrates rows to another model without creating
  /// objects.
  package struct MigrationOperations: Sendable {
    /// Describes what the migration of a store would do, without changing the store.
    package var plan:
      @Sendable (StoreConfiguration, ModelTransition) throws(StoreError) -> StoreMigrationPlan
    /// Migrates a store, which must not be open, in the given `StoreMigrationPlan.Way`. If the way
    /// is nil, the store type chooses the way. The `MigrationProgress` may be nil. After an error,
    /// the store is unchanged.
    package var migrate:
      @Sendable (
        StoreConfiguration, ModelTransition, StoreMigrationPlan.Way?, MigrationProgress?
      ) throws(StoreError) -> Void
    /// A function that writes a migrated copy of the first store to the URL of the second store. No
    /// file may exist at this URL.
    package typealias Copying =
      @Sendable (StoreConfiguration, StoreConfiguration, ModelTransition, MigrationProgress?)
      throws(StoreError) -> Void

    /// Writes a migrated copy; nil for store types that are copied object by object.
    package var migrateCopy: Copying?

    /// Creates migration operations.
    ///
    /// - Parameters:
    ///   - plan: The operation that describes a migration.
    ///   - migrate: The operation that migrates a store.
    ///   - migrateCopy: The operation that writes a migrated copy; nil for store types that are
    ///     copied object by object.
    package init(
      plan:
        @escaping @Sendable (StoreConfiguration, ModelTransition) throws(StoreError)
        -> StoreMigrationPlan,
      migrate:
        @escaping @Sendable (
          StoreConfiguration, ModelTransition, StoreMigrationPlan.Way?, MigrationProgress?
        ) throws(StoreError) -> Void,
      migrateCopy: Copying?
    ) {
      self.plan = plan
      self.migrate = migrate
      self.migrateCopy = migrateCopy
    }
  }

  private static let openers = Mutex<[String: Opener]>([:])

  /// A function that creates an in-memory store whose contents another object persists.
  package typealias RowStoreMaker =
    @Sendable (StoreConfiguration, CompiledModel, StoreContents, any RowPersistence)
    throws(StoreError) -> any StoreBackend

  private static let rowStore = Mutex<RowStoreMaker?>(nil)

  /// Sets the function that creates in-memory stores for atomic custom stores.
  package static func setRowStore(_ make: @escaping RowStoreMaker) {
    rowStore.withLock { $0 = make }
  }

  /// Creates an in-memory store for an atomic custom store.
  static func makeRowStore(
    _ configuration: StoreConfiguration, _ model: CompiledModel, _ contents: StoreContents,
    _ persistence: any RowPersistence
  ) throws(StoreError) -> any StoreBackend {
    if let registry = ClassLookup.builtInStores { registry.register() }
    guard let make = rowStore.withLock({ $0 }) else {
      throw StoreError(
        .unsupported, "Atomic stores require the library's built-in stores. Link OpenCoreData.")
    }
    return try make(configuration, model, contents, persistence)
  }

  /// Registers a class of the application for a store type; nil removes a type of the application.
  static func register(_ type: String, _ storeClass: NSPersistentStore.Type?) {
    guard let storeClass else {
      // The types of this library stay registered.
      return openers.withLock { openers in
        if openers[type]?.storeClass != nil { openers[type] = nil }
      }
    }
    var opener = Opener { (_, _) throws(StoreError) in
      throw StoreError(
        .unsupported, "Stores of the class \(storeClass) can be opened only by a coordinator.")
    }
    opener.storeClass = storeClass
    openers.withLock { $0[type] = opener }
  }

  /// Registers a store type; the module `OpenBuiltInStores` registers the built-in types.
  ///
  /// - Parameters:
  ///   - type: The type string.
  ///   - opener: The operations with which a coordinator opens stores of the type.
  package static func register(_ type: String, _ opener: Opener) {
    openers.withLock { $0[type] = opener }
    typesByScheme.withLock { types in
      for scheme in opener.schemes where types[scheme] == nil { types[scheme] = type }
    }
  }

  /// The types that handle the schemes of URLs: for each scheme, the type that was registered
  /// first.
  private static let typesByScheme = Mutex<[String: String]>([:])

  /// Returns the type of store that a coordinator opens at a URL.
  ///
  /// If the requested type does not handle the URL's scheme but another registered type does, the
  /// result is the other type. Otherwise, for example for a file URL or nil, the result is the
  /// requested type.
  ///
  /// - Parameters:
  ///   - type: The store type that the caller requested.
  ///   - url: The URL of the store; nil for a store without a URL.
  package static func type(_ type: String, at url: URL?) -> String {
    guard let scheme = url?.scheme, scheme != "file" else { return type }
    let isOwn = openers.withLock { $0[type]?.schemes.contains(scheme) == true }
    return isOwn ? type : typesByScheme.withLock { $0[scheme] } ?? type
  }

  /// The type strings of all registered types.
  static var names: [String] { openers.withLock { $0.keys.sorted() } }

  /// Returns the opener of a store type.
  ///
  /// - Parameter type: The type string.
  ///
  /// - Throws: `CocoaError` 134000 if the type is not registered.
  package static func opener(of type: String) throws -> Opener {
    if let opener = openers.withLock({ $0[type] }) { return opener }
    // A program may use coordinators without using the types of the umbrella module.
    if let registry = ClassLookup.builtInStores { registry.register() }
    if let opener = openers.withLock({ $0[type] }) { return opener }
    throw CocoaError.make(
      .persistentStoreInvalidType,
      "There is no store type \"\(type)\". The store types are: \(names.joined(separator: ", ")). To add your own type, "
        + "call registerStoreClass(_:forStoreType:).")
  }
}

extension StoreTypes {
  /// Throws `CocoaError` 134080 if a URL is not a file URL and does not have a scheme of the store
  /// type.
  static func requireFileURL(_ url: URL?, of type: String) throws {
    guard let url else {
      throw CocoaError.make(
        .persistentStoreOpen,
        "A store of type \"\(type)\" requires the URL of its file. For an in-memory store, use /dev/null."
      )
    }
    let isNamed = openers.withLock { openers in
      url.scheme.map { openers[type]?.schemes.contains($0) == true } ?? false
    }
    if isNamed { return }
    guard url.isFileURL else {
      throw CocoaError.make(
        .persistentStoreOpen,
        "The URL of a store must be a file URL, but its scheme is \"\(url.scheme ?? "")\". Use "
          + "URL(fileURLWithPath:), or first register the store type that uses such URLs.")
    }
  }
}

/// A type that registers the built-in stores.
///
/// The library finds the type by name, because this module cannot import the module that contains
/// the type.
package protocol StoreRegistry: AnyObject {
  /// Registers the built-in stores.
  static func register()
}

/// An observer that receives the SQL text of each statement that a store executes.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: Usable on any thread.
public final class StatementObserver: NSObject, Sendable {
  let observe: @Sendable (String) -> Void

  /// Creates an observer for `OpenStatementObserverOption`.
  ///
  /// - Parameter observe: A closure that receives the SQL text, on the thread that executes the
  ///   statement. The closure must not use the store.
  public init(_ observe: @escaping @Sendable (String) -> Void) { self.observe = observe }
}

extension StoreConfiguration {
  /// Creates the configuration for a URL and a dictionary of store options.
  ///
  /// - Parameters:
  ///   - url: The URL of the store; nil for a store without a URL.
  ///   - options: Store options by key; nil for no options.
  package init(url: URL?, options: [AnyHashable: Any]?) {
    self.init(url: url)
    statementTrace = StatementLogging.trace(options)
    guard let options else { return }
    isReadOnly = (options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
    if let seconds = options[NSPersistentStoreTimeoutOption] as? NSNumber {
      timeout = seconds.doubleValue
    }
    if let pragmas = options[NSSQLitePragmasOption] as? [String: Any] {
      settings = pragmas.mapValues { "\($0)" }
    }
    ignoresModelVersion =
      (options[NSIgnorePersistentStoreVersioningOption] as? NSNumber)?.boolValue ?? false
    newIdentifier = options[OpenNewStoreIdentifierOption] as? String
    historyBase = (options[OpenHistoryBaseOption] as? NSNumber)?.int64Value ?? 0
    tracksHistory = Self.isOn(options[NSPersistentHistoryTrackingKey])
    indexesText = Self.isOn(options[OpenTextIndexOption])
    if Self.isOn(options[NSSQLiteAnalyzeOption]) { maintenance.insert(.refreshesStatistics) }
    if Self.isOn(options[NSSQLiteManualVacuumOption]) { maintenance.insert(.reclaimsSpace) }
    statementObserver = (options[OpenStatementObserverOption] as? StatementObserver)?.observe
  }

  /// Returns whether an option is true: a number is a Boolean value, and a dictionary of details
  /// means true.
  private static func isOn(_ option: Any?) -> Bool {
    (option as? NSNumber)?.boolValue ?? (option is [AnyHashable: Any])
  }
}
