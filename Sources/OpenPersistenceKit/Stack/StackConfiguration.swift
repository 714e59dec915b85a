internal import Foundation
public import OpenCoreData
public import OpenObjectGraph
public import OpenObjectModel

extension PersistenceController {
  /// The configuration of a stack.
  ///
  /// A value, so one constant can be used for the application's stack, previews and tests.
  public struct Configuration: Sendable {
    /// The name of the model and of the default store file.
    public var name: String
    /// The location of the store.
    public var storage: Storage
    /// Whether the store keeps a history of changes; has no effect on in-memory stores.
    public var tracksHistory = true
    /// Whether changes by other processes are announced; has no effect on in-memory stores.
    public var announcesRemoteChanges = true
    /// Whether a store of an older version of the model is migrated when it is opened.
    public var migratesAutomatically = true
    /// Creates the model; if nil, the model is found by name in the program's bundles.
    public var makeModel: (@Sendable () throws -> NSManagedObjectModel)?
    /// Changes the description of the store before it is loaded, to set further options.
    public var prepareStore: (@Sendable (NSPersistentStoreDescription) -> Void)?
    /// Fills the main context of a preview.
    public var makeSampleData: (@Sendable (NSManagedObjectContext) throws -> Void)?
    /// Receives the text of reports and statistics; by default, prints it.
    public var report: @Sendable (String) -> Void = { print($0) }

    /// Describes a stack with history, remote change notices and automatic light migration.
    ///
    /// - Parameters:
    ///   - name: The name of the model and of the default store file.
    ///   - storage: The location of the store.
    ///   - makeModel: Creates the model; if nil, the model is found by name in the program's bundles.
    public init(
      name: String, storage: Storage = .standard,
      makeModel: (@Sendable () throws -> NSManagedObjectModel)? = nil
    ) {
      self.name = name
      self.storage = storage
      self.makeModel = makeModel
    }

    /// The same stack with an in-memory store.
    public var inMemory: Configuration {
      var copy = self
      copy.storage = .inMemory
      return copy
    }
  }

  /// Opens a stack in memory, with the sample data of its configuration saved in it.
  ///
  /// Errors of creating sample data are reported.
  ///
  /// - Parameter configuration: The application's configuration; its storage is ignored.
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
