internal import Foundation
public import OpenCoreData
public import OpenObjectGraph
public import OpenObjectModel

extension PersistenceController {
  /// The configuration of a stack.
  ///
  /// A configuration is a value, so one constant can be used for the application's stack, its
  /// previews and its tests.
  public struct Configuration: Sendable {
    /// The name of the model and of the default store file.
    public var name: String
    /// The location of the store.
    public var storage: Storage
    /// Whether the store records persistent history. The property has no effect on in-memory
    /// stores.
    public var tracksHistory = true
    /// Whether changes by other processes are announced. The property has no effect on in-memory
    /// stores.
    public var announcesRemoteChanges = true
    /// Whether a store of an older model version is migrated when it is opened.
    public var migratesAutomatically = true
    /// A closure that creates the model; nil to find the model by name in the program's bundles.
    public var makeModel: (@Sendable () throws -> NSManagedObjectModel)?
    /// A closure that can set further options in the description of the store before the store is
    /// loaded.
    public var prepareStore: (@Sendable (NSPersistentStoreDescription) -> Void)?
    /// A closure that inserts sample data into the main context of a preview.
    public var makeSampleData: (@Sendable (NSManagedObjectContext) throws -> Void)?
    /// A closure that receives the text of reports and statistics. By default, it prints the text.
    public var report: @Sendable (String) -> Void = { print($0) }

    /// Creates a configuration with persistent history, remote change notifications and automatic
    /// lightweight migration.
    ///
    /// - Parameters:
    ///   - name: The name of the model and of the default store file.
    ///   - storage: The location of the store.
    ///   - makeModel: A closure that creates the model; nil to find the model by name in the
    ///     program's bundles.
    public init(
      name: String, storage: Storage = .standard,
      makeModel: (@Sendable () throws -> NSManagedObjectModel)? = nil
    ) {
      self.name = name
      self.storage = storage
      self.makeModel = makeModel
    }

    /// The same configuration with an in-memory store.
    public var inMemory: Configuration {
      var copy = self
      copy.storage = .inMemory
      return copy
    }
  }

  /// Opens a stack in memory and saves the sample data of its configuration.
  ///
  /// Errors of creating the sample data are reported through the configuration's `report`.
  ///
  /// - Parameter configuration: The application's configuration, whose storage is ignored.
  @MainActor public convenience init(previewing configuration: Configuration) {
    self.init(opening: configuration.inMemory)
    guard let fill = configuration.makeSampleData else { return }
    do {
      try fill(viewContext)
      try saveViewContext()
    } catch {
      viewContext.rollback()
      handleError(error, context: "Making sample data")
    }
  }
}
