public import Foundation
public import Observation
internal import OpenObjectGraph
internal import OpenPredicates

/// An object that fetches models and keeps the results up to date, optionally in sections.
///
/// ```swift
/// let observer = try ResultsObserver<Book, Never>(
///   filterBy: #Predicate { $0.isPublished }, sortBy: [SortDescriptor(\.title)], modelContext: context)
/// ```
///
/// The results reflect the unsaved changes in the observer's context, and the saves of other
/// contexts and processes. Reading the results registers the access with Observation, and always
/// returns the current results.
///
/// Observation reports changes in the observer's context when the context posts a notification
/// about the changes. A main context posts this notification at the end of the current turn of the
/// main event loop. Any other context posts the notification when the context saves, fetches, or
/// processes pending changes. Observation reports saves of other contexts and processes on the
/// actor that created the observer.
///
/// > Concurrency: Confined to the actor or task that uses the context.
/// > Reference: Apple, ResultsObserver. Differs: D-362.
public final class ResultsObserver<Element: PersistentModel, SectionTitle: Hashable>: Observable {
  /// The context that fetches the models.
  public let modelContext: ModelContext
  /// The property whose values are the titles of the sections; `nil` for an observer without
  /// sections.
  public let sectionBy: PartialKeyPath<Element>?
  private var descriptor: FetchDescriptor<Element>
  private var controller: NSFetchedResultsController<NSManagedObject>
  private let relay = ResultsRelay()
  private let registrar = ObservationRegistrar()
  private let signals = ChangeSignals()
  private var remote: RemoteSaves?
  private var missedChanges: NotificationToken?
  private let makeTitle: (String) -> SectionTitle?
  /// The results of the last access; `nil` if the results have changed since the access.
  private var known: FetchResultsCollection<Element>?
  private var knownSections: SectionedResults<Element, SectionTitle>?
  /// The number of changes of the results.
  private(set) var changeCount = 0
  private var isCatchingUp = false
  /// Whether the last attempt to fetch the results again failed.
  private var needsFetch = false

  /// - Throws: The errors of the fetch; `SwiftDataError.unsupportedKeyPath` if the property of the
  ///   sections is not stored.
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
    try Self.fetch(controller, in: context)
    let taker = WeakTaker(self)
    remote = RemoteSaves(of: context.container, on: isolation, taker)
    missedChanges = NotificationToken(GraphContext.didMissChanges, context.graph) { _ in
      taker.taker?.fetchAgain()
    }
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
          .unsupportedKeyPath, "\(sectionBy) is not a stored property of \(Element.self).")
      }
      name = key
      // A section needs equal strings, but the comparator may treat different strings as equal.
      order.insert(
        NSSortDescriptor(key: key, ascending: true), at: order.first?.key == key ? 1 : 0)
    }
    request.sortDescriptors = order
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context.graph, sectionNameKeyPath: name,
      cacheName: nil)
  }

  private static func fetch(
    _ controller: NSFetchedResultsController<NSManagedObject>, in context: ModelContext
  ) throws {
    try context.answering(nil) {
      try context.executing(controller.fetchRequest) { _ in try controller.performFetch() }
    }
  }

  // MARK: Results

  /// The models in the sort order of ``fetchDescriptor``. An observer with sections sorts the
  /// models by section first.
  public var results: FetchResultsCollection<Element> {
    catchUp()
    registrar.access(self, keyPath: \.results)
    if let known { return known }
    let made = FetchResultsCollection(
      modelContext.models(controller.fetchedObjects ?? [], as: Element.self))
    known = made
    return made
  }

  /// The sections, in the order of the results; `nil` for an observer without sections.
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

  /// Returns the model at an index path.
  ///
  /// - Parameter indexPath: The index of the section, followed by the index of the model in the
  ///   section.
  /// - Returns: The model; `nil` if the observer has no sections or the index path is invalid.
  public func element(at indexPath: IndexPath) -> Element? {
    guard indexPath.count == 2, let sections, sections.indices.contains(indexPath[0]),
      sections[indexPath[0]].indices.contains(indexPath[1])
    else { return nil }
    return sections[indexPath[0]][indexPath[1]]
  }

  /// Returns the index path of a model.
  ///
  /// - Parameter element: The model to find.
  /// - Returns: The index path; `nil` if the observer has no sections or the model is not among the
  ///   results.
  public func indexPath(for element: Element) -> IndexPath? {
    guard sections != nil else { return nil }
    return controller.indexPath(forObject: element.__object)
  }

  /// The details for ``debugDescription``, which are available without reading a store.
  var observed: (descriptor: FetchDescriptor<Element>, sectionName: String?, count: Int) {
    (
      descriptor, sectionBy.flatMap { ModelKeys.name(of: $0, in: Element.self) },
      controller.fetchedObjects?.count ?? 0
    )
  }

  // MARK: Descriptor

  /// The descriptor of the fetch. Setting ``filterBy`` or ``sortBy`` changes the descriptor.
  public var fetchDescriptor: FetchDescriptor<Element> {
    registrar.access(self, keyPath: \.fetchDescriptor)
    return descriptor
  }

  /// The condition that models must satisfy; `nil` for all models. Setting the property fetches the
  /// models again immediately.
  ///
  /// If the new predicate is not supported or the fetch fails, the predicate and the results do not
  /// change. The next save of the context throws the error.
  public var filterBy: Predicate<Element>? {
    get { fetchDescriptor.predicate }
    set { change { $0.predicate = newValue } }
  }

  /// The sort order. Setting the property fetches the models again immediately.
  ///
  /// An observer with sections sorts the models by section first. If a new sort descriptor is not
  /// supported or the fetch fails, the sort order and the results do not change. The next save of
  /// the context throws the error.
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
      try Self.fetch(controller, in: modelContext)
      self.controller = controller
      needsFetch = false
      registrar.withMutation(of: self, keyPath: \.fetchDescriptor) { descriptor = new }
      contentChanged()
    } catch {
      modelContext.graph.deferError(error)
    }
  }

  // MARK: Updates

  /// Merges the saves of other contexts, processes the pending changes, and repeats a failed fetch.
  func catchUp() {
    guard !isCatchingUp else { return }
    isCatchingUp = true
    defer { isCatchingUp = false }
    modelContext.graph.takeOverChanges()
    if modelContext.graph.hasChanges { modelContext.graph.processPendingChanges() }
    if needsFetch { fetchAgain() }
  }

  func fetchAgain() {
    do {
      try Self.fetch(controller, in: modelContext)
      needsFetch = false
      contentChanged()
    } catch {
      // The next save throws the error of the first attempt only.
      if !needsFetch { modelContext.graph.deferError(error) }
      needsFetch = true
    }
  }

  private func contentChanged() {
    changeCount += 1
    registrar.withMutation(of: self, keyPath: \.results) {
      registrar.withMutation(of: self, keyPath: \.sections) {
        known = nil
        knownSections = nil
      }
    }
    signals.send()
  }

  /// An asynchronous sequence of the current results, followed by the results after each change.
  ///
  /// If the results change several times before the task requests the next element, the task
  /// receives only the latest results. The sequence retains the observer, and ends when the
  /// iterating task is canceled.
  ///
  /// > Concurrency: Iterate the sequence on the actor or task that uses the context.
  ///
  /// This is an addition to Apple's API.
  public var updates: ResultsUpdates<Element, SectionTitle> { ResultsUpdates(self) }

  /// Returns a sequence with an element for each change after this call.
  func makeSignals() -> AsyncStream<Void> { signals.make() }
}

/// Calls a closure after each change of the results.
private final class ResultsRelay: NSFetchedResultsControllerDelegate {
  var didChange: (() -> Void)?

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    didChange?()
  }
}

extension ResultsObserver: RemoteSavesTaker {}
