internal import Foundation
public import OpenCoreData
public import OpenObjectGraph
public import OpenObjectModel

extension PersistenceController {
  /// The configuration of a stack.
  ///
  /// A configuration is a value, so an application can use one constant for its stack, its previews
  /// and its tests.
  public struct Configuration: Sendable {
    /// The name of the model and of the default store file.
    public var name: String
    /// The location of the store.
    public var storage: Storage
    /// Whether the store records persistent history. The default is true. The property has no
    /// effect on in-memory stores.
    public var tracksHistory = true
    /// Whether the store posts remote change notifications. The default is true. The property has
    /// no effect on in-memory stores.
    public var announcesRemoteChanges = true
    /// Whether a store of an older model version is migrated when the store is opened. The default
    /// is true.
    public var migratesAutomatically = true
    /// A closure that creates the model; nil to search the program's bundles for a model with the
    /// configuration's name.
    public var makeModel: (@Sendable () throws -> NSManagedObjectModel)?
    /// A closure that can change the description of the store before the store is loaded; nil to
    /// leave the description unchanged. The stack ignores `shouldAddStoreAsynchronously`, and
    /// always opens the store before the stack's initializer returns.
    public var prepareStore: (@Sendable (NSPersistentStoreDescription) -> Void)?
    /// A closure that inserts sample data into the main context of a preview; nil for no sample
    /// data.
    public var makeSampleData: (@Sendable (NSManagedObjectContext) throws -> Void)?
    /// A closure that receives the text of reports and statistics. The default closure prints the
    /// text.
    public var report: @Sendable (String) -> Void = { print($0) }

    /// Creates a configuration with persistent history, remote change notifications and automatic
    /// lightweight migration.
    ///
    /// - Parameters:
    ///   - name: The name of the model and of the default store file.
    ///   - storage: The location of the store.
    ///   - makeModel: A closure that creates the model; nil to search the program's bundles for a
    ///     model with the given name.
    public init(
      name: String, storage: Storage = .standard,
      makeModel: (@Sendable () throws -> NSManagedObjectModel)? = nil
    ) {
      self.name = name
      self.storage = storage
      self.makeModel = makeModel
    }

    /// A copy of the configuration with an in-memory store.
    public var inMemory: Configuration {
      var copy = self
      copy.storage = .inMemory
      return copy
    }
  }

  /// Opens a stack with an in-memory store, and saves the sample data of the configuration.
  ///
  /// If the sample data cannot be created or saved, the initializer rolls back the main context and
  /// passes a report of the error to the configuration's `report` closure.
  ///
  /// - Parameter configuration: The application's configuration. The initializer ignores the
  ///   configuration's storage.
  @MainActor public convenience init(previewing configuration: Configuration) {
    self.init(opening: configuration.inMemory)
    guard let fill = configuration.makeSampleData else { return }
    do {
      try fill(viewContext)
      try saveViewContext()
    } catch {
      viewContext.rollback()
      handleError(error, context: "Creating sample data")
    }
  }
}
