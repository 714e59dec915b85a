internal import Dispatch
internal import Foundation
public import Observation

/// The objects of a fetch for user interfaces. A view that reads the objects is updated when they
/// change.
///
/// ```swift
/// let posts = try ObservedResults(request, in: container.viewContext)
/// ```
///
/// The class corresponds to SwiftUI's `@FetchRequest` and `@SectionedFetchRequest`. This is an
/// addition to Apple's API.
///
/// > Concurrency: Isolated to the main actor; the context must be a main-queue context.
@MainActor
@Observable
public final class ObservedResults<Object: NSManagedObject> {
  /// One section of the results.
  public struct Section: Identifiable {
    /// The section's name.
    public let id: String
    /// The section's objects, in order.
    public let objects: [Object]
  }

  /// The objects in order.
  public private(set) var objects: [Object] = []
  /// The sections in order. Without a section key path, there is one unnamed section.
  public private(set) var sections: [Section] = []

  @ObservationIgnored private let controller: NSFetchedResultsController<Object>
  @ObservationIgnored private let relay = ResultsRelay()

  /// Creates the results, fetches the objects and follows their changes.
  ///
  /// - Parameters:
  ///   - request: A request for objects with sort descriptors.
  ///   - context: A main-queue context.
  ///   - sectionNameKeyPath: The key path of the sections. The first sort descriptor must group the
  ///     objects by this key path.
  /// - Throws: `CocoaError` if the context is not a main-queue context. Also throws the errors of
  ///   ``NSFetchedResultsController/performFetch()``.
  public init(
    _ request: NSFetchRequest<Object>, in context: NSManagedObjectContext,
    sectionNameKeyPath: String? = nil
  ) throws {
    guard context.concurrencyType == .mainQueueConcurrencyType else {
      throw CocoaError.make(
        .coreData, "Observed results need a context of the main queue, such as viewContext.")
    }
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context,
      sectionNameKeyPath: sectionNameKeyPath, cacheName: nil)
    controller.delegate = relay
    relay.didChange = { [weak self] in
      MainActor.assumeIsolated { self?.takeContent() }
    }
    try fetch()
  }

  /// The request. After changing it, call ``fetch()``.
  public var request: NSFetchRequest<Object> { controller.fetchRequest }

  /// Fetches the objects again with the current request.
  ///
  /// - Throws: The same errors as ``NSFetchedResultsController/performFetch()``.
  public func fetch() throws {
    try controller.performFetch()
    takeContent()
  }

  private func takeContent() {
    objects = controller.fetchedObjects ?? []
    sections = (controller.sections ?? []).map { section in
      Section(id: section.name, objects: (section.objects ?? []).compactMap { $0 as? Object })
    }
  }
}

/// A delegate that forwards the end of each change to the main queue, regardless of the context's
/// thread.
private final class ResultsRelay: NSFetchedResultsControllerDelegate {
  var didChange: (@Sendable () -> Void)?

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    guard let didChange else { return }
    MainQueue.isCurrent ? didChange() : DispatchQueue.main.async(execute: didChange)
  }
}
