public import Foundation
public import Observation
internal import OpenObjectGraph
internal import OpenPredicates

/// The current models of a fetch, in order and in sections.
///
/// ```swift
/// let observer = try ResultsObserver<Book, Never>(
///   filterBy: #Predicate { $0.isPublished }, sortBy: [SortDescriptor(\.title)], modelContext: context)
/// ```
///
/// Results follow changes of their context, and saves of other contexts and processes. Reading them participates in
/// Observation, and always returns the current state. Observers that do not read are notified when the context posts
/// its changes: a main context at the end of the current turn of the main event loop, other contexts when they save, fetch, or
/// process their pending changes. For saves of other contexts, they are notified on the actor that created the
/// observer.
///
/// > Concurrency: Confined, as its context.
/// > Reference: Apple, ResultsObserver. Differs: D-362.
public final class ResultsObserver<Element: PersistentModel, SectionTitle: Hashable>: Observable {
  /// The context that the models are fetched in.
  public let modelContext: ModelContext
  /// The property of the sections; nil without sections.
  public let sectionBy: PartialKeyPath<Element>?
  private var descriptor: FetchDescriptor<Element>
  private var controller: NSFetchedResultsController<NSManagedObject>
  private let relay = ResultsRelay()
  private let registrar = ObservationRegistrar()
  private let signals = ChangeSignals()
  private var remote: RemoteSaves?
  private let makeTitle: (String) -> SectionTitle?
  /// The results as they were made last; nil since they changed.
  private var known: FetchResultsCollection<Element>?
  private var knownSections: SectionedResults<Element, SectionTitle>?
  private var isCatchingUp = false

  /// - Throws: As the fetch.
  init(
    _ descriptor: FetchDescriptor<Element>, sectionBy: PartialKeyPath<Element>?,
    _ context: ModelContext, _ isolation: (any Actor)?,
    makeTitle: @escaping (String) -> SectionTitle?
  ) throws {
    modelContext = context
    self.descriptor = descriptor
    self.sectionBy = sectionBy
    self.makeTitle = makeTitle
    controller = try Self.makeController(descriptor, sectionBy, context)
    relay.didChange = { [weak self] in self?.contentChanged() }
    controller.delegate = relay
    try controller.performFetch()
    remote = RemoteSaves(of: context.container, on: isolation, WeakTaker(self))
  }

  private static func makeController(
    _ descriptor: FetchDescriptor<Element>, _ sectionBy: PartialKeyPath<Element>?,
    _ context: ModelContext
  ) throws -> NSFetchedResultsController<NSManagedObject> {
    let request = try descriptor.managed(in: context)
    var order = request.sortDescriptors ?? []
    var name: String?
    if let sectionBy {
      guard let key = ModelKeys.name(of: sectionBy, in: Element.self) else {
        throw SwiftDataError(
          .unsupportedKeyPath, "\(sectionBy) is no stored property of \(Element.self).")
      }
      name = key
      // Texts that a comparator takes for equal are of different sections.
      order.insert(
        NSSortDescriptor(key: key, ascending: true), at: order.first?.key == key ? 1 : 0)
    }
    request.sortDescriptors = order
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context.graph, sectionNameKeyPath: name,
      cacheName: nil)
  }

  // MARK: Results

  /// The models in order.
  public var results: FetchResultsCollection<Element> {
    catchUp()
    registrar.access(self, keyPath: \.results)
    if let known { return known }
    let made = FetchResultsCollection(
      modelContext.models(controller.fetchedObjects ?? [], as: Element.self))
    known = made
    return made
  }

  /// The sections in order; nil for an observer without them.
  public var sections: SectionedResults<Element, SectionTitle>? {
    guard sectionBy != nil else { return nil }
    catchUp()
    registrar.access(self, keyPath: \.sections)
    if let knownSections { return knownSections }
    let made = SectionedResults(
      (controller.sections ?? []).compactMap { section in
        makeTitle(section.name).map { title in
          ResultsSection(
            title,
            modelContext.models(
              (section.objects ?? []).compactMap { $0 as? NSManagedObject }, as: Element.self))
        }
      })
    knownSections = made
    return made
  }

  /// The model at an index path.
  ///
  /// - Parameter indexPath: The section and the item in it.
  /// - Returns: nil without sections, or for an invalid index path.
  public func element(at indexPath: IndexPath) -> Element? {
    guard indexPath.count == 2, let sections, sections.indices.contains(indexPath[0]),
      sections[indexPath[0]].indices.contains(indexPath[1])
    else { return nil }
    return sections[indexPath[0]][indexPath[1]]
  }

  /// The index path of a model.
  ///
  /// - Returns: nil without sections, or if the model is not among the results.
  public func indexPath(for element: Element) -> IndexPath? {
    guard sections != nil else { return nil }
    return controller.indexPath(forObject: element.__object)
  }

  /// What is known without reading a store, for ``debugDescription``.
  var observed: (descriptor: FetchDescriptor<Element>, sectionName: String?, count: Int) {
    (
      descriptor, sectionBy.flatMap { ModelKeys.name(of: $0, in: Element.self) },
      controller.fetchedObjects?.count ?? 0
    )
  }

  // MARK: What is fetched

  /// The descriptor of the fetch; ``filterBy`` and ``sortBy`` change it.
  public var fetchDescriptor: FetchDescriptor<Element> {
    registrar.access(self, keyPath: \.fetchDescriptor)
    return descriptor
  }

  /// The filter; setting it fetches immediately.
  ///
  /// With an unsupported predicate, the results do not change, and the next save of the context throws.
  public var filterBy: Predicate<Element>? {
    get { fetchDescriptor.predicate }
    set { change { $0.predicate = newValue } }
  }

  /// The order; setting it fetches immediately.
  ///
  /// The order of the sections has precedence. With an unsupported descriptor, the results do not change, and the
  /// next save of the context throws.
  public var sortBy: [SortDescriptor<Element>] {
    get { fetchDescriptor.sortBy }
    set { change { $0.sortBy = newValue } }
  }

  private func change(_ edit: (inout FetchDescriptor<Element>) -> Void) {
    var new = descriptor
    edit(&new)
    do {
      let controller = try Self.makeController(new, sectionBy, modelContext)
      controller.delegate = relay
      try controller.performFetch()
      self.controller = controller
      registrar.withMutation(of: self, keyPath: \.fetchDescriptor) { descriptor = new }
      contentChanged()
    } catch {
      modelContext.graph.deferError(error)
    }
  }

  // MARK: Following

  /// Merges saves of other contexts, and processes pending changes.
  func catchUp() {
    guard !isCatchingUp else { return }
    isCatchingUp = true
    defer { isCatchingUp = false }
    modelContext.graph.takeOverChanges()
    if modelContext.graph.hasChanges { modelContext.graph.processPendingChanges() }
  }

  private func contentChanged() {
    registrar.withMutation(of: self, keyPath: \.results) {
      registrar.withMutation(of: self, keyPath: \.sections) {
        known = nil
        knownSections = nil
      }
    }
    signals.send()
  }

  /// The current results, and the results after each change.
  ///
  /// A slow task receives only the newest results. The sequence retains the observer, and ends when its task is cancelled.
  ///
  /// > Concurrency: Iterated by the task or actor that uses the context.
  ///
  /// This is an addition to Apple's API.
  public var updates: ResultsUpdates<Element, SectionTitle> { ResultsUpdates(self) }

  /// A sequence with one element for each change from now on.
  func makeSignals() -> AsyncStream<Void> { signals.make() }
}

/// Hands the end of each change of the results on.
private final class ResultsRelay: NSFetchedResultsControllerDelegate {
  var didChange: (() -> Void)?

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    didChange?()
  }
}

extension ResultsObserver: RemoteSavesTaker {}
