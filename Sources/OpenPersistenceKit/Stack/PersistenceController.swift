public import Foundation
public import OpenCoreData
public import OpenObjectGraph
public import OpenObjectModel

/// The Core Data stack of an application: a container, its main context, and background contexts.
///
/// The main context is named "ViewContext", has an undo manager, and merges the saves of other
/// contexts. If another context saves a property for which the main context has an unsaved change,
/// the unsaved change wins. When a context of the stack is saved, the context's changes win over
/// changed rows in the store.
///
/// ```swift
/// extension PersistenceController {
///   static let shared = PersistenceController(opening: Configuration(name: "Kanora"))
/// }
/// ```
///
/// > Concurrency: A class that threads may share. `viewContext` belongs to the main queue.
// Invariant of the unchecked conformance: every field is set once by the initializer. A subclass
// must preserve this invariant.
open class PersistenceController: @unchecked Sendable {
  /// The container. All its stores are loaded, except the stores that could not be opened.
  public let container: NSPersistentContainer
  /// The configuration of the stack.
  public let configuration: Configuration
  /// The errors that occurred when the stack was opened; empty if all stores are open.
  public let loadErrors: [any Error]

  /// The location of the controller's store.
  public enum Storage: Sendable {
    /// The store is a file in `NSPersistentContainer.defaultDirectoryURL()`.
    case standard
    /// The store is a file at a URL.
    case file(URL)
    /// The store is in memory and exists until the controller is deallocated.
    case inMemory
  }

  /// Opens a stack.
  ///
  /// - Parameters:
  ///   - name: The name of the model and of the default store file.
  ///   - model: The model, or nil to search the program's bundles for a model with the given name.
  ///   - storage: The location of the store.
  ///   - options: The store options by key, such as `NSPersistentHistoryTrackingKey`.
  /// - Throws: The error for the first store that cannot be opened; `CocoaError` 134060 if the
  ///   model is not found or cannot be read.
  public init(
    name: String, model: NSManagedObjectModel? = nil, storage: Storage = .standard,
    options: [String: NSObject] = [:]
  ) throws {
    configuration = Configuration(name: name, storage: storage)
    container = StackOpening.container(named: name, model: model)
    StackOpening.describe(storage, of: container)
    for description in container.persistentStoreDescriptions {
      for (key, value) in options { description.setOption(value, forKey: key) }
    }
    loadErrors = StackOpening.loadStores(of: container).map(\.error)
    StackOpening.configure(container.viewContext)
    if let first = loadErrors.first { throw first }
  }

  /// Opens a stack without throwing an error, for controllers in static constants.
  ///
  /// If the model cannot be created or a store cannot be opened, the initializer adds the error to
  /// ``loadErrors``. The initializer also passes the error as text to the configuration's `report`
  /// closure. If the model cannot be created, no store is open. A fetch or save that needs a store
  /// that is not open throws an error.
  ///
  /// - Parameter configuration: The configuration of the stack.
  public init(opening configuration: Configuration) {
    self.configuration = configuration
    let made = StackOpening.container(of: configuration)
    container = made.container
    let failures = made.failure.map { [$0] } ?? StackOpening.loadStores(of: made.container)
    loadErrors = failures.map(\.error)
    StackOpening.configure(container.viewContext)
    for failure in failures { configuration.report(failure.text) }
  }

  /// Throws an error if a store could not be opened.
  ///
  /// - Throws: The first error in ``loadErrors``.
  public func requireStores() throws {
    if let first = loadErrors.first { throw first }
  }

  // MARK: Contexts

  /// The main-queue context.
  public var viewContext: NSManagedObjectContext { container.viewContext }

  /// Creates a private-queue context.
  ///
  /// If a save of the context conflicts with changed rows in the store, the context's changes win.
  ///
  /// - Returns: The new context.
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = container.newBackgroundContext()
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    context.name = "BackgroundContext"
    return context
  }
}
