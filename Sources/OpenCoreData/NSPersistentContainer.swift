public import Foundation
public import OpenObjectGraph
public import OpenObjectModel
internal import Synchronization

/// An object that holds a model, the coordinator of the stores, and the main-queue context.
///
/// > Concurrency: Usable on any thread. `viewContext` belongs to the main queue.
/// > Reference: Apple, NSPersistentContainer.
// Invariant of the unchecked conformance: after initialization, only the descriptions change, and
// only before the stores are loaded.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
  /// The name of the container and of its default store file.
  open private(set) var name: String
  /// The model of the container's stores.
  open private(set) var managedObjectModel: NSManagedObjectModel
  /// The coordinator of the container's stores.
  open private(set) var persistentStoreCoordinator: NSPersistentStoreCoordinator
  /// A main-queue context that uses the container's coordinator.
  open private(set) var viewContext: NSManagedObjectContext
  /// The descriptions of the stores to load.
  ///
  /// By default, the array describes one SQLite store. The store's file is in the folder that
  /// ``defaultDirectoryURL()`` returns. The file name is the container's name with the extension
  /// `sqlite`.
  open var persistentStoreDescriptions: [NSPersistentStoreDescription]
  /// The error of a container without a model.
  private var modelError: CocoaError?

  /// Creates a container for a model with the given name in the program's bundles.
  ///
  /// If the model is not found or cannot be read, `loadPersistentStores` reports `CocoaError`
  /// 134060. If the model cannot be read, the user info of the error contains a `ModelError` under
  /// `"OpenModelError"`.
  ///
  /// - Parameter name: The name of the model, of the container and of the default store file.
  public convenience init(name: String) {
    var failure: ModelError?
    var model: NSManagedObjectModel?
    do throws(ModelError) {
      model = try NSManagedObjectModel.model(named: name, in: nil)
    } catch { failure = error }
    self.init(name: name, managedObjectModel: model ?? NSManagedObjectModel())
    if model == nil { modelError = Self.error(ofModelNamed: name, failure) }
  }

  private static func error(ofModelNamed name: String, _ failure: ModelError?) -> CocoaError {
    let start = "Failed to load model named \(name): "
    guard let failure else {
      return CocoaError.make(
        .coreData,
        start + "no \(name).xcdatamodeld is in the program's bundles. Pass the model to "
          + "init(name:managedObjectModel:).")
    }
    return CocoaError.make(
      .coreData, "\(start)\(failure)", path: failure.path, userInfo: ["OpenModelError": failure])
  }

  /// Creates a container for a model, and makes the model immutable.
  ///
  /// If the model is invalid, `loadPersistentStores` reports `CocoaError` 134060.
  ///
  /// - Parameters:
  ///   - name: The name of the container and of the default store file.
  ///   - model: The model.
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    BuiltInStores.register()
    self.name = name
    managedObjectModel = model
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    persistentStoreCoordinator = coordinator
    viewContext = context
    persistentStoreDescriptions = []
    super.init()
    let file = type(of: self).defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
    persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
  }

  /// A string with the container's name and a description of each loaded store.
  open override var description: String {
    DebugText.text(
      of: self,
      [
        "name": name,
        "stores": persistentStoreCoordinator.persistentStores.map {
          DebugText.Verbatim($0.description)
        },
      ])
  }

  /// Returns the default folder for stores.
  ///
  /// The folder has the program's name and is in `$XDG_DATA_HOME` or, if this variable is not set,
  /// in `~/.local/share`. The method ignores an empty or relative value of the variable, as the XDG
  /// base directory specification requires.
  open class func defaultDirectoryURL() -> URL {
    UserFolders.data.appendingPathComponent(ProcessInfo.processInfo.processName)
  }

  /// Opens the stores of all descriptions.
  ///
  /// A store that cannot be opened does not prevent the other stores from being opened. Stores that
  /// are added asynchronously are opened one after the other, in the order of their descriptions.
  /// If there are no descriptions, the method does nothing.
  ///
  /// - Parameter block: A closure that is called once for each description, with the description
  ///   and an error. The error is nil if the store was opened. Otherwise, the error is `CocoaError`
  ///   134060 if the container's model was not found or cannot be read, or any error that
  ///   `addPersistentStore(ofType:configurationName:at:options:)` throws. The closure runs on the
  ///   calling thread, or on the coordinator's queue if the container has a model and the
  ///   description's `shouldAddStoreAsynchronously` is true.
  open func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions {
      if let modelError {
        block(description, modelError)
        continue
      }
      makeDefaultDirectory(for: description)
      persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
    }
  }

  private func makeDefaultDirectory(for description: NSPersistentStoreDescription) {
    let folder = type(of: self).defaultDirectoryURL()
    guard let url = description.url, url.deletingLastPathComponent().path == folder.path else {
      return
    }
    // If the folder cannot be created, opening the store throws an error.
    try? UserFolders.make(folder)
  }

  /// Creates a private-queue context that uses the container's coordinator.
  ///
  /// - Returns: The new context.
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Runs a block asynchronously with a new background context.
  ///
  /// The context is not saved automatically.
  ///
  /// - Parameter block: A closure that runs on the context's queue.
  /// > Concurrency: The block does not inherit the actor of the calling function.
  /// > Reference: Apple, performBackgroundTask(_:).
  @preconcurrency open func performBackgroundTask(
    _ block: @escaping @Sendable (NSManagedObjectContext) -> Void
  ) {
    let context = newBackgroundContext()
    context.perform { block(context) }
  }

  /// Runs a block with a new background context and returns the result of the block.
  ///
  /// The context is not saved automatically.
  ///
  /// - Parameter block: A closure that runs on the context's queue.
  /// - Returns: The result of the block.
  /// - Throws: Any error that the block throws.
  /// > Concurrency: The block does not inherit the actor of the calling function.
  /// > Reference: Apple, performBackgroundTask(_:). Differs: D-280.
  @preconcurrency open func performBackgroundTask<Result, Failure: Error>(
    _ block: @escaping @Sendable (NSManagedObjectContext) throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let context = newBackgroundContext()
    return try await context.perform { () throws(Failure) in try block(context) }
  }
}
