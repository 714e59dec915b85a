public import Foundation
public import OpenCoreData
public import OpenObjectGraph
public import OpenObjectModel

/// An application's stack: one container, its main context, and work in the background.
///
/// The main context is named "ViewContext", merges what other contexts save, and prefers its own edits where both
/// changed a property; contexts for background work prefer theirs.
///
/// ```swift
/// extension PersistenceController {
///   static let shared = PersistenceController(opening: Configuration(name: "Kanora"))
/// }
/// ```
///
/// > Concurrency: Shared: usable on any thread; `viewContext` belongs to the main queue.
// Invariant of the unchecked conformance: every field is set once by the initializer. A subclass must keep to that.
open class PersistenceController: @unchecked Sendable {
  /// The container, with its stores loaded.
  public let container: NSPersistentContainer
  /// The configuration of the stack.
  public let configuration: Configuration
  /// The errors of the stores that could not be opened; empty if all stores are open.
  public let loadErrors: [any Error]

  /// The location of the controller's store.
  public enum Storage: Sendable {
    /// In the container's default folder.
    case standard
    /// In a file.
    case file(URL)
    /// In memory; lasts as long as the controller.
    case inMemory
  }

  /// Opens a stack.
  ///
  /// - Parameters:
  ///   - name: The name of the model and of the default store file.
  ///   - model: The model; nil looks for it by name in the program's bundles.
  ///   - storage: The location of the store.
  ///   - options: Store options by key.
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

  /// Opens a stack without failing, for controllers that are a static constant.
  ///
  /// A store that cannot be opened is reported through the configuration's `report`, added to `loadErrors`, and makes
  /// every fetch and save throw.
  public init(opening configuration: Configuration) {
    self.configuration = configuration
    let made = StackOpening.container(of: configuration)
    container = made.container
    let failures = made.failures + StackOpening.loadStores(of: container)
    loadErrors = failures.map(\.error)
    StackOpening.configure(container.viewContext)
    for failure in failures { configuration.report(failure.text) }
  }

  /// Requires that all stores were opened.
  ///
  /// - Throws: The error of the first store that was not.
  public func requireStores() throws {
    if let first = loadErrors.first { throw first }
  }

  // MARK: Contexts

  /// The context for the main queue.
  public var viewContext: NSManagedObjectContext { container.viewContext }

  /// Creates a background context whose edits win over the store's.
  ///
  /// - Returns: The context.
  open func newBackgroundContext() -> NSManagedObjectContext {
    let context = container.newBackgroundContext()
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    context.name = "BackgroundContext"
    return context
  }
}
