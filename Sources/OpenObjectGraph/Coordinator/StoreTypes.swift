public import Foundation
package import OpenObjectModel
package import OpenStoreContract
internal import Synchronization

/// The kinds of store that coordinators can open, by type string.
package enum StoreTypes {
  /// What the coordinator needs to know of a kind of store.
  package struct Opener: Sendable {
    /// Opens or makes a store.
    package var open:
      @Sendable (StoreConfiguration, CompiledModel) throws(StoreError) -> any StoreBackend
    /// What the kind does with files; nil for stores without any.
    package var files: FileOperations?

    package init(
      open:
        @escaping @Sendable (StoreConfiguration, CompiledModel) throws(StoreError)
        -> any StoreBackend,
      files: FileOperations? = nil
    ) {
      self.open = open
      self.files = files
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
    /// Puts a copy of the store at the URL in the place of another; the last value as above.
    package var replace: @Sendable (StoreConfiguration, URL, Bool) throws(StoreError) -> Void

    package init(
      metadata: @escaping @Sendable (StoreConfiguration) throws(StoreError) -> StoreMetadata,
      setMetadata:
        @escaping @Sendable (StoreMetadata, StoreConfiguration) throws(StoreError) -> Void,
      destroy: @escaping @Sendable (StoreConfiguration, Bool) throws(StoreError) -> Void,
      replace: @escaping @Sendable (StoreConfiguration, URL, Bool) throws(StoreError) -> Void
    ) {
      self.metadata = metadata
      self.setMetadata = setMetadata
      self.destroy = destroy
      self.replace = replace
    }
  }

  private static let openers = Mutex<[String: Opener]>([:])

  /// Makes a kind of store known; the umbrella module does so for the built-in ones.
  package static func register(_ type: String, _ opener: Opener) {
    openers.withLock { $0[type] = opener }
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
      "There is no store of type \"\(type)\". Use NSSQLiteStoreType or NSInMemoryStoreType.")
  }
}

extension StoreTypes {
  /// Requires the URL of a file, for a kind of store that has one.
  static func requireFileURL(_ url: URL?, of type: String) throws {
    guard let url else {
      throw CocoaError.make(
        .persistentStoreOpen,
        "A store of type \"\(type)\" needs the URL of its file; /dev/null stands for a store in memory."
      )
    }
    guard url.isFileURL else {
      throw CocoaError.make(
        .persistentStoreOpen,
        "The URL of a store must be a file URL, but its scheme is \"\(url.scheme ?? "")\". Use "
          + "URL(fileURLWithPath:).")
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

  /// Makes an observer for `OpenStatementObserverOption`.
  ///
  /// - Parameter observe: Called on the thread that runs the statement; must not use the store.
  public init(_ observe: @escaping @Sendable (String) -> Void) { self.observe = observe }
}

extension StoreConfiguration {
  /// The configuration that a dictionary of store options describes.
  init(url: URL?, options: [AnyHashable: Any]?) {
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
    tracksHistory = Self.isOn(options[NSPersistentHistoryTrackingKey])
    if Self.isOn(options[NSSQLiteAnalyzeOption]) { maintenance.insert(.refreshesStatistics) }
    if Self.isOn(options[NSSQLiteManualVacuumOption]) { maintenance.insert(.reclaimsSpace) }
    statementObserver = (options[OpenStatementObserverOption] as? StatementObserver)?.observe
  }

  /// Whether an option is set: a number says so itself, a dictionary of details means yes.
  private static func isOn(_ option: Any?) -> Bool {
    (option as? NSNumber)?.boolValue ?? (option is [AnyHashable: Any])
  }
}
