internal import Dispatch
internal import Foundation
public import Observation

/// The objects that a request finds, for user interfaces: read it in a view and the view follows them.
///
/// ```swift
/// let posts = try ObservedResults(request, in: container.viewContext)
/// ```
///
/// An addition; stands where SwiftUI has `@FetchRequest` and `@SectionedFetchRequest`.
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
  /// The sections in order; one without name when there is no key path.
  public private(set) var sections: [Section] = []

  @ObservationIgnored private let controller: NSFetchedResultsController<Object>
  @ObservationIgnored private let relay = ResultsRelay()

  /// Fetches, and follows the changes from then on.
  ///
  /// - Parameters:
  ///   - request: A request for objects with sort descriptors.
  ///   - context: A main-queue context.
  ///   - sectionNameKeyPath: What to make sections by; the first sort descriptor has to group by it.
  /// - Throws: `CocoaError` for a context with another queue; else as
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

  /// Fetches anew, as the request is now.
  ///
  /// - Throws: As ``NSFetchedResultsController/performFetch()``.
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
