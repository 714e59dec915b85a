internal import Dispatch
internal import Foundation
public import Observation

/// The objects of a fetch for user interfaces: a view that reads them is updated when they change.
///
/// ```swift
/// let posts = try ObservedResults(request, in: container.viewContext)
/// ```
///
/// An addition that corresponds to SwiftUI's `@FetchRequest` and `@SectionedFetchRequest`.
///
/// > Concurrency: On the main actor, with a main-queue context.
@MainActor
@Observable
public final class ObservedResults<Object: NSManagedObject> {
  /// One section of the results.
  public struct Section: Identifiable {
    /// The section's name.
    public let id: String
    /// Its objects in order.
    public let objects: [Object]
  }

  /// The objects in order.
  public private(set) var objects: [Object] = []
  /// The sections in order; without a section key path, one unnamed section.
  public private(set) var sections: [Section] = []

  @ObservationIgnored private let controller: NSFetchedResultsController<Object>
  @ObservationIgnored private let relay = ResultsRelay()

  /// Fetches the objects and follows their changes.
  ///
  /// - Parameters:
  ///   - request: A request for objects with sort descriptors.
  ///   - context: A main-queue context.
  ///   - sectionNameKeyPath: The key path of the sections; the first sort descriptor must group by it.
  /// - Throws: `CocoaError` for a context with another queue; otherwise the same errors as
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

  /// The request; change it and call ``fetch()``.
  public var request: NSFetchRequest<Object> { controller.fetchRequest }

  /// Fetches again, with the current request.
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

/// Hands the end of each change on; on the main queue, whatever thread the context was used on.
private final class ResultsRelay: NSFetchedResultsControllerDelegate {
  var didChange: (@Sendable () -> Void)?

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    guard let didChange else { return }
    MainQueue.isCurrent ? didChange() : DispatchQueue.main.async(execute: didChange)
  }
}
