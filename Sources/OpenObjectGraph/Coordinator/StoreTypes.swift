public import Foundation
package import OpenObjectModel
package import OpenStoreContract
internal import Synchronization

/// The kinds of store that coordinators can open, by type string.
package enum StoreTypes {
  /// What the coordinator needs to know of a kind of store.
  package struct Opener: Sendable {
    /// Opens or creates a store.
    package var open:
      @Sendable (StoreConfiguration, CompiledModel) throws(StoreError) -> any StoreBackend
    /// What the kind does with files; nil for stores without any.
    package var files: FileOperations?
    /// The schemes of the URLs that name stores of the kind; none for kinds whose stores are files.
    package var schemes: Set<String> = []
    /// The class of the application that makes the stores; nil for kinds of this library.
    var storeClass: NSPersistentStore.Type?

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

  /// What can be done with a store's file without opening it for a model.
  package struct FileOperations: Sendable {
    /// Reads the metadata, and changes nothing.
    package var metadata: @Sendable (StoreConfiguration) throws(StoreError) -> StoreMetadata
    /// Writes the metadata at once.
    package var setMetadata:
      @Sendable (StoreMetadata, StoreConfiguration) throws(StoreError) -> Void
    /// Makes the store empty; the last value says whether even if it is in use.
    package var destroy: @Sendable (StoreConfiguration, Bool) throws(StoreError) -> Void
    /// Replaces another store with a copy of the store at the URL; the last value as above.
    package var replace: @Sendable (StoreConfiguration, URL, Bool) throws(StoreError) -> Void
    /// Reads the whole file and throws for a damaged one.
    package var check: @Sendable (StoreConfiguration) throws(StoreError) -> Void
    /// The model that a store keeps; nil when it keeps none.
    package var model: @Sendable (StoreConfiguration) throws(StoreError) -> NSManagedObjectModel?
    /// Checkpoints a store and deletes its log, unless other processes use the store.
    package var settle: @Sendable (StoreConfiguration) throws(StoreError) -> Void
    /// Creates a store beside the old one, and replaces the old one with it, while no process writes to the old one;
    /// nil for kinds without locks.
    package var rebuild: (@Sendable (StoreConfiguration, URL, () throws -> Void) throws -> Void)?
    /// How the kind migrates its stores by itself; nil for kinds that do not.
    package var migration: MigrationOperations?
    /// The URL under which `rebuild` has the new store made; nil for a hidden file beside the old one.
    package var newPlace: (@Sendable (URL) -> URL?)?

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
      rebuild: (@Sendable (StoreConfiguration, URL, () throws -> Void) throws -> Void)? = nil,
      migration: MigrationOperations? = nil, newPlace: (@Sendable (URL) -> URL?)? = nil
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
    }
  }

  /// How a kind of store brings its rows to another model without objects.
  package struct MigrationOperations: Sendable {
    /// Says what migrating a store would do, and changes nothing.
    package var plan:
      @Sendable (StoreConfiguration, ModelTransition) throws(StoreError) -> StoreMigrationPlan
    /// Migrates a store in place, which must not be open; a nil method leaves the choice to the store.
    package var migrate:
      @Sendable (
        StoreConfiguration, ModelTransition, StoreMigrationPlan.Way?, MigrationProgress?
      ) throws(StoreError) -> Void
    /// Writes a migrated copy of the first store to the place of the second, where no file is.
    package typealias Copying =
      @Sendable (StoreConfiguration, StoreConfiguration, ModelTransition, MigrationProgress?)
      throws(StoreError) -> Void

    /// Writes a migrated copy; nil for kinds whose copies are made object by object.
    package var migrateCopy: Copying?

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

  /// Creates an in-memory store whose contents something else keeps.
  package typealias RowStoreMaker =
    @Sendable (StoreConfiguration, CompiledModel, StoreContents, any RowPersistence)
    throws(StoreError) -> any StoreBackend

  private static let rowStore = Mutex<RowStoreMaker?>(nil)

  /// Says how in-memory stores are made for atomic custom stores.
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
        .unsupported, "Atomic stores need the library's built-in stores; link OpenCoreData.")
    }
    return try make(configuration, model, contents, persistence)
  }

  /// Makes a class of the application known as a kind of store; nil takes a kind of the application away.
  static func register(_ type: String, _ storeClass: NSPersistentStore.Type?) {
    guard let storeClass else {
      // Kinds of this library stay.
      return openers.withLock { openers in
        if openers[type]?.storeClass != nil { openers[type] = nil }
      }
    }
    var opener = Opener { (_, _) throws(StoreError) in
      throw StoreError(
        .unsupported, "Stores of the class \(storeClass) are opened by coordinators.")
    }
    opener.storeClass = storeClass
    openers.withLock { $0[type] = opener }
  }

  /// Makes a kind of store known; the umbrella module does so for the built-in ones.
  package static func register(_ type: String, _ opener: Opener) {
    openers.withLock { $0[type] = opener }
  }

  /// The kind of store that a URL names by its scheme; the given one for the URL of a file.
  package static func type(_ type: String, at url: URL?) -> String {
    guard let scheme = url?.scheme, scheme != "file" else { return type }
    return openers.withLock { openers in
      openers.first { $0.value.schemes.contains(scheme) }?.key ?? type
    }
  }

  /// The type strings of all kinds.
  static var names: [String] { openers.withLock { $0.keys.sorted() } }

  /// The opener of a kind of store.
  ///
  /// - Throws: `CocoaError` with code 134000 when there is no such kind.
  package static func opener(of type: String) throws -> Opener {
    if let opener = openers.withLock({ $0[type] }) { return opener }
    // A program may use coordinators without ever touching the umbrella module's own types.
    if let registry = ClassLookup.builtInStores { registry.register() }
    if let opener = openers.withLock({ $0[type] }) { return opener }
    throw CocoaError.make(
      .persistentStoreInvalidType,
      "There is no store of type \"\(type)\". There are: \(names.joined(separator: ", ")); register a class of your own "
        + "with registerStoreClass(_:forStoreType:).")
  }
}

extension StoreTypes {
  /// Requires the URL of a file, for a kind of store that has one.
  static func requireFileURL(_ url: URL?, of type: String) throws {
    guard let url else {
      throw CocoaError.make(
        .persistentStoreOpen,
        "A store of type \"\(type)\" needs the URL of its file; use /dev/null for a store in memory."
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
          + "URL(fileURLWithPath:), or register the kind of store that has such URLs first.")
    }
  }
}

/// Makes the stores of the umbrella module known; found by name, since this module cannot import it.
package protocol StoreRegistry: AnyObject {
  static func register()
}

/// Receives the SQL text of each statement that a store runs. Addition.
public final class StatementObserver: NSObject, Sendable {
  let observe: @Sendable (String) -> Void

  /// Creates an observer for `OpenStatementObserverOption`.
  ///
  /// - Parameter observe: Called on the thread that runs the statement; must not use the store.
  public init(_ observe: @escaping @Sendable (String) -> Void) { self.observe = observe }
}

extension StoreConfiguration {
  /// The configuration that a dictionary of store options describes.
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
    tracksHistory = Self.isOn(options[NSPersistentHistoryTrackingKey])
    indexesText = Self.isOn(options[OpenTextIndexOption])
    if Self.isOn(options[NSSQLiteAnalyzeOption]) { maintenance.insert(.refreshesStatistics) }
    if Self.isOn(options[NSSQLiteManualVacuumOption]) { maintenance.insert(.reclaimsSpace) }
    statementObserver = (options[OpenStatementObserverOption] as? StatementObserver)?.observe
  }

  /// Whether an option is set: a number says so itself, a dictionary of details means yes.
  private static func isOn(_ option: Any?) -> Bool {
    (option as? NSNumber)?.boolValue ?? (option is [AnyHashable: Any])
  }
}
