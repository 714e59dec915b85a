/// What a context does for observers of its objects: whether reads are tracked, and which objects have observers.
///
/// > Concurrency: Confined to the context's queue.
final class ContextObservation {
  /// Whether reading a property checks if the read is tracked by Observation.
  @exclusivity(unchecked) private(set) var tracksReads = false
  /// Observers for the next object that tracked code reads; made before, because only they tell whether code is tracked.
  @exclusivity(unchecked) private var spare: ObjectObservers?
  @exclusivity(unchecked) private var observed: [Entry] = []

  private struct Entry {
    weak var object: NSManagedObject?
    /// Which stay of the object in a context the entry is of; it may have left and come again, here or elsewhere.
    let stay: Int

    /// The object and its observers, if they are there and the entry is theirs.
    var current: (object: NSManagedObject, observers: ObjectObservers)? {
      guard let object, let observers = object.extras?.observers, observers.stay == stay else {
        return nil
      }
      return (object, observers)
    }
  }

  // MARK: Reads

  /// Begins or ends tracking reads of some objects.
  func setTracksReads(_ tracks: Bool, of objects: [NSManagedObject]) {
    tracksReads = tracks
    spare = tracks ? ObjectObservers() : nil
    for object in objects where object.contents.hasValues { object.becomeRealized() }
  }

  /// Gives an object observers if tracked code runs, and the context takes part.
  @inline(__always)
  func observersIfTracking(_ object: NSManagedObject) -> ObjectObservers? {
    borrowing(spare) { $0.isTracking(object) } == true ? giveSpare(to: object) : nil
  }

  private func giveSpare(to object: NSManagedObject) -> ObjectObservers? {
    guard let observers = spare else { return nil }
    spare = ObjectObservers()
    add(observers, to: object)
    return observers
  }

  // MARK: Observed objects

  /// Gives an object observers.
  func add(_ observers: ObjectObservers, to object: NSManagedObject) {
    object.makeExtras().observers = observers
    note(object, observers)
  }

  /// Notes an object that has observers and came into the context.
  func note(_ object: NSManagedObject, _ observers: ObjectObservers) {
    if object.contents.hasValues { object.contents = .watched }
    observers.stay += 1
    observed.append(Entry(object: object, stay: observers.stay))
  }

  /// Tells the observers of all objects what is different after an event.
  @inline(__always)
  func compare(in registry: ContextRegistry) {
    if !observed.isEmpty { compareAll(in: registry) }
  }

  private func compareAll(in registry: ContextRegistry) {
    let entries = observed
    // Observers may add further ones.
    observed = []
    for entry in entries {
      guard let (object, observers) = entry.current else { continue }
      if object.registry === registry, object.registration != .detached {
        observed.append(entry)
        observers.compare(in: object)
      } else {
        observers.end(in: object)
      }
    }
  }

  /// Ends all observing, because the context goes.
  func end() {
    let entries = observed
    observed = []
    for entry in entries {
      if let (object, observers) = entry.current { observers.end(in: object) }
    }
  }
}

extension NSManagedObjectContext {
  /// Whether reading a property of the context's objects participates in Swift's Observation; the default is false.
  ///
  /// If it is true, `withObservationTracking(_:onChange:)` and `Observations` track the properties they read of the
  /// context's objects, and are notified of each change. Each read must check whether it is tracked, so reading a
  /// number takes five times as long. Set it for the context whose objects the user interface shows, not for imports.
  /// `observe(_:options:changeHandler:)` and sequences do not depend on it.
  ///
  /// ```swift
  /// container.viewContext.tracksObservation = true
  /// ```
  ///
  /// > Concurrency: On the context's queue.
  /// > Reference: Addition. See D-270.
  public final var tracksObservation: Bool {
    get { observation.tracksReads }
    set {
      guard newValue != observation.tracksReads else { return }
      observation.setTracksReads(newValue, of: registry.identityMap.all())
    }
  }
}
