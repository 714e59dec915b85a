internal import Dispatch
internal import Foundation
public import Observation

/// An observable list of fetched objects, for user interfaces.
///
/// A view that reads ``objects`` or ``sections`` is updated when the results change. After a reset
/// of the context, the results are empty until the next call to ``fetch()``.
///
/// ```swift
/// let posts = try ObservedResults(request, in: container.viewContext)
/// ```
///
/// The class corresponds to SwiftUI's `@FetchRequest` and `@SectionedFetchRequest`.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: Isolated to the main actor. The context must be a main-queue context.
@MainActor
@Observable
public final class ObservedResults<Object: NSManagedObject> {
  /// One section of the results.
  public struct Section: Identifiable {
    /// The section's name; empty if the results have no sections.
    public let id: String
    /// The section's objects, in order.
    public let objects: [Object]
  }

  /// The objects in order.
  public private(set) var objects: [Object] = []
  /// The sections in order; without a section key path, one section with an empty name.
  public private(set) var sections: [Section] = []

  @ObservationIgnored private let controller: NSFetchedResultsController<Object>
  @ObservationIgnored private let relay = ResultsRelay()

  /// Fetches the objects that a request selects, and begins to observe changes in the context.
  ///
  /// - Parameters:
  ///   - request: A request that fetches managed objects and has sort descriptors.
  ///   - context: A main-queue context.
  ///   - sectionNameKeyPath: The key path of the section names, or nil for no sections. The first
  ///     sort descriptor must group the objects by this key path.
  /// - Throws: `CocoaError` 134060 if the context is not a main-queue context. Also throws the
  ///   errors of ``NSFetchedResultsController/performFetch()``.
  public init(
    _ request: NSFetchRequest<Object>, in context: NSManagedObjectContext,
    sectionNameKeyPath: String? = nil
  ) throws {
    guard context.concurrencyType == .mainQueueConcurrencyType else {
      throw CocoaError.make(
        .coreData, "Observed results require a main-queue context, such as viewContext.")
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

  /// The request for the objects; changes to the request take effect with the next call to
  /// ``fetch()``.
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

/// A delegate that calls a closure on the main queue after each change of the results and after a
/// reset of the context.
private final class ResultsRelay: ResetObserver {
  var didChange: (@Sendable () -> Void)?

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) { relay() }

  func contextDidReset() { relay() }

  private func relay() {
    guard let didChange else { return }
    MainQueue.isCurrent ? didChange() : DispatchQueue.main.async(execute: didChange)
  }
}
