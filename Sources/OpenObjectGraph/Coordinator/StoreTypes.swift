public import Foundation
package import OpenObjectModel
package import OpenStoreContract
internal import Synchronization

/// The kinds of store that coordinators can open, by type string.
package enum StoreTypes {
  /// What the coordinator needs to know of a kind of store.
  package struct Opener: Sendable {
    package var open:
      @Sendable (StoreConfiguration, CompiledModel) throws(StoreError) -> any StoreBackend
    package var metadata: @Sendable (StoreConfiguration) throws(StoreError) -> StoreMetadata
    package var destroy: @Sendable (URL) throws(StoreError) -> Void

    package init(
      open:
        @escaping @Sendable (StoreConfiguration, CompiledModel) throws(StoreError)
        -> any StoreBackend,
      metadata: @escaping @Sendable (StoreConfiguration) throws(StoreError) -> StoreMetadata,
      destroy: @escaping @Sendable (URL) throws(StoreError) -> Void
    ) {
      self.open = open
      self.metadata = metadata
      self.destroy = destroy
    }
  }

  private static let openers = Mutex<[String: Opener]>([:])

  /// Makes a kind of store known; the umbrella module does so for the built-in ones.
  package static func register(_ type: String, _ opener: Opener) {
    openers.withLock { $0[type] = opener }
  }

  static func opener(of type: String) throws -> Opener {
    if let opener = openers.withLock({ $0[type] }) { return opener }
    throw CocoaError.make(
      .persistentStoreInvalidType,
      "There is no store of type \"\(type)\". Use NSSQLiteStoreType or NSInMemoryStoreType.")
  }
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
    guard let options else { return }
    isReadOnly = (options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
    if let seconds = options[NSPersistentStoreTimeoutOption] as? NSNumber {
      timeout = seconds.doubleValue
    }
    if let pragmas = options[NSSQLitePragmasOption] as? [String: Any] {
      self.pragmas = pragmas.mapValues { "\($0)" }
    }
    statementObserver = (options[OpenStatementObserverOption] as? StatementObserver)?.observe
  }
}
