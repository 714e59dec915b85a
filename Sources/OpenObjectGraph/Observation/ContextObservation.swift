/// The observation of a context's objects: whether reads are tracked, and which objects have
/// observers.
///
/// > Concurrency: Confined to the context's queue.
final class ContextObservation {
  /// Whether reading a property checks if the read is tracked by Observation.
  @exclusivity(unchecked) private(set) var tracksReads = false
  /// Observers for the next object that tracked code reads.
  ///
  /// The observers are created in advance, because only observers can determine whether code is
  /// tracked.
  @exclusivity(unchecked) private var spare: ObjectObservers?
  @exclusivity(unchecked) private var observed: [Entry] = []

  private struct Entry {
    weak var object: NSManagedObject?
    /// The number of the object's stay in a context, which changes when the object leaves and
    /// returns.
    let stay: Int

    /// The object and its observers; nil if the object is gone or the entry is outdated.
    var current: (object: NSManagedObject, observers: ObjectObservers)? {
      guard let object, let observers = object.extras?.observers, observers.stay == stay else {
        return nil
      }
      return (object, observers)
    }
  }

  // MARK: Reads

  /// Starts or stops tracking reads of the given objects.
  func setTracksReads(_ tracks: Bool, of objects: [NSManagedObject]) {
    tracksReads = tracks
    spare = tracks ? ObjectObservers() : nil
    for object in objects where object.contents.hasValues { object.becomeRealized() }
  }

  /// Gives an object observers if tracked code is running and the context tracks reads.
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

  /// Adds observers to an object.
  func add(_ observers: ObjectObservers, to object: NSManagedObject) {
    object.makeExtras().observers = observers
    note(object, observers)
  }

  /// Records an object with observers that has entered the context.
  func note(_ object: NSManagedObject, _ observers: ObjectObservers) {
    if object.contents.hasValues { object.contents = .watched }
    observers.stay += 1
    observed.append(Entry(object: object, stay: observers.stay))
  }

  /// Notifies the observers of all objects of differences after an event.
  @inline(__always)
  func compare(in registry: ContextRegistry) {
    if !observed.isEmpty { compareAll(in: registry) }
  }

  private func compareAll(in registry: ContextRegistry) {
    let entries = observed
    // Observers may add further observers.
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

  /// Ends all observations, because the context is going away.
  func end() {
    let entries = observed
    observed = []
    for entry in entries {
      if let (object, observers) = entry.current { observers.end(in: object) }
    }
  }
}

extension NSManagedObjectContext {
  /// Whether reads of the context's objects participate in Swift's Observation; false by default.
  ///
  /// If true, `withObservationTracking(_:onChange:)` and `Observations` track the properties that
  /// code reads from the context's objects, and are notified of each change. Each read must then
  /// check whether Observation tracks the read. Reading a number therefore takes more than five
  /// times as long as if the property is false. Set the property to true for the context whose
  /// objects the user interface shows, but not for contexts that import data.
  /// `observe(_:options:changeHandler:)` and the asynchronous sequences do not depend on this
  /// property.
  ///
  /// This is an addition to Apple's API.
  ///
  /// ```swift
  /// container.viewContext.tracksObservation = true
  /// ```
  ///
  /// > Concurrency: Confined to the context's queue.
  /// > Reference: D-270.
  public final var tracksObservation: Bool {
    get { observation.tracksReads }
    set {
      guard newValue != observation.tracksReads else { return }
      observation.setTracksReads(newValue, of: registry.identityMap.all())
    }
  }
}
