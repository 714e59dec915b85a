public import Foundation
public import OpenCoreData
public import OpenObjectGraph
public import OpenObjectModel

/// The Core Data stack of an application: a container, its main context, and background contexts.
///
/// The main context is named "ViewContext" and merges the saves of other contexts. If both changed
/// a property, the main context's edit wins. In a conflict with the store, the edits of background
/// contexts win.
///
/// ```swift
/// extension PersistenceController {
///   static let shared = PersistenceController(opening: Configuration(name: "Kanora"))
/// }
/// ```
///
/// > Concurrency: Shared; usable on any thread. `viewContext` belongs to the main queue.
// Invariant of the unchecked conformance: every field is set once by the initializer. A subclass must keep to that.
open class PersistenceController: @unchecked Sendable {
  /// The container. Its stores are loaded.
  public let container: NSPersistentContainer
  /// The configuration of the stack.
  public let configuration: Configuration
  /// The errors of the stores that could not be opened; empty if all stores are open.
  public let loadErrors: [any Error]

  /// The location of the controller's store.
  public enum Storage: Sendable {
    /// The store is a file in the container's default folder.
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
  ///   - model: The model, or nil to find it by name in the program's bundles.
  ///   - storage: The location of the store.
  ///   - options: The store options by key.
  /// - Throws: The error of the first store that cannot be opened.
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

  /// Opens a stack without throwing, for controllers in static constants.
  ///
  /// An error of opening a store is reported through the configuration's `report` and added to
  /// `loadErrors`. Fetches and saves that need the store then throw.
  ///
  /// - Parameter configuration: The configuration of the stack.
  public init(opening configuration: Configuration) {
    self.configuration = configuration
    let made = StackOpening.container(of: configuration)
    container = made.container
    let failures = made.failures + StackOpening.loadStores(of: container)
    loadErrors = failures.map(\.error)
    StackOpening.configure(container.viewContext)
    for failure in failures { configuration.report(failure.text) }
  }

  /// Throws an error unless all stores were opened.
  ///
  /// - Throws: The error of the first store that could not be opened.
  public func requireStores() throws {
    if let first = loadErrors.first { throw first }
  }

  // MARK: Contexts

  /// The main-queue context.
  public var viewContext: NSManagedObjectContext { container.viewContext }

  /// Creates a background context whose edits win in a conflict with the store.
  ///
  /// - Returns: The new context.
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = container.newBackgroundContext()
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    context.name = "BackgroundContext"
    return context
  }
}
