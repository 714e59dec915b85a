internal import Observation
internal import OpenObjectModel
internal import OpenStoreContract

/// The observers of one managed object, including those of Swift's Observation.
///
/// The object's extras contain the observers once tracked code has read a property or a property is
/// observed. Changes of properties are pairs of ``willChange(_:_:in:)`` and ``didChange(_:_:in:)``.
/// Events that replace values in other ways, such as merges, refreshes, saves and rollbacks, end
/// with ``compare(in:)``, which finds the differences.
///
/// > Concurrency: Confined to the queue of the object's context, except for the list of observers.
final class ObjectObservers {
  private let registrar = ObservationRegistrar()
  private let probe: TrackingProbe
  private let probePath: KeyPath<NSManagedObject, Void>
  /// The key paths of the properties that tracked code has read.
  @exclusivity(unchecked) private var paths: [ObservedKey: KeyPath<NSManagedObject, Void>] = [:]
  /// The values of observed properties in the most recent notification of the observers.
  @exclusivity(unchecked) private var seen: [ObservedKey: SeenValue] = [:]
  /// The changes of properties that have begun but not ended.
  @exclusivity(unchecked) private var open: [ObservedKey: OpenChange] = [:]
  @exclusivity(unchecked) private var fingerprint: Fingerprint?
  /// The number of times that the object has entered a context.
  var stay = 0
  /// The observers that are notified of individual changes.
  let list = ObserverList()

  init() {
    let probe = TrackingProbe()
    self.probe = probe
    probePath = \NSManagedObject.[probe: probe]
  }

  deinit { list.end() }

  // MARK: Reading

  /// Returns whether tracked code is running.
  @inline(__always)
  func isTracking(_ object: NSManagedObject) -> Bool {
    registrar.access(object, keyPath: probePath)
    return probe.takeMeeting()
  }

  /// Records that tracked code reads a property.
  func access(_ key: ObservedKey, of object: NSManagedObject) {
    let path = paths[key] ?? \NSManagedObject.[observed: key]
    paths[key] = path
    registrar.access(object, keyPath: path)
    see(key, of: object)
  }

  /// Records the present value of a property as the value that observers know.
  private func see(_ key: ObservedKey, of object: NSManagedObject) {
    if case .named = key { return }
    seen[key] = SeenValue(of: key, in: object)
    fingerprint = nil
  }

  /// Adds an observer, which is notified of all later changes.
  func add(_ observer: PropertyObserver, to object: NSManagedObject) -> ObserverAttachment {
    fill(object, for: [observer])
    for key in keys(of: observer, object) { see(key, of: object) }
    return ObserverAttachment(observer, in: list)
  }

  private func keys(of observer: PropertyObserver, _ object: NSManagedObject) -> [ObservedKey] {
    if let key = observer.key { return [key] }
    let properties = object.compiledEntity.properties.filter { !$0.isElement }
    return properties.map { .property($0.ordinal) } + [.standing]
  }

  // MARK: Changing

  /// Begins a change of a property; a call of `didChange` must follow.
  func willChange(
    _ key: ObservedKey, _ how: ObservedChange = .setting, in object: NSManagedObject
  ) {
    open[key, default: OpenChange(left: how.left)].depth += 1
    guard open[key]?.depth == 1 else { return }
    if let path = paths[key] { registrar.willSet(object, keyPath: path) }
    let change = PropertyObserver.Change(key: key, how: how)
    for observer in list.all where observer.observes(key) { observer.willChange?(change) }
  }

  /// Ends a change of a property.
  func didChange(
    _ key: ObservedKey, _ how: ObservedChange = .setting, in object: NSManagedObject
  ) {
    if let depth = open[key]?.depth, depth > 1 {
      open[key]?.depth -= 1
      return
    }
    var how = how
    if let began = open.removeValue(forKey: key), how.left.isEmpty { how.left = began.left }
    finish(PropertyObserver.Change(key: key, how: how), in: object)
    compareStanding(of: object)
  }

  private func finish(_ change: PropertyObserver.Change, in object: NSManagedObject) {
    if seen[change.key] != nil { see(change.key, of: object) }
    if let path = paths[change.key] { registrar.didSet(object, keyPath: path) }
    for observer in list.all where observer.observes(change.key) {
      observer.didChange(change, object)
    }
  }

  /// A change that has begun but not ended, with nested changes.
  private struct OpenChange {
    var depth = 0
    /// The members that were about to leave when the change began.
    let left: [NSManagedObject]
  }

  /// Returns whether a property is observed.
  func concerns(_ key: ObservedKey) -> Bool {
    paths[key] != nil || list.all.contains { $0.observes(key) }
  }

  // MARK: Comparing

  /// The facts that show whether an object's values may have been replaced.
  private struct Fingerprint: Equatable {
    let base: UnsafeRawPointer
    let version: Int64
    let edits: OrdinalSet
    let standing: SeenValue.Standing

    init(of object: NSManagedObject) {
      base = object.base
      version = object.chunk == nil ? 0 : Int64(object.view.version)
      edits = object.edits.ordinals
      standing = SeenValue.Standing(of: object)
    }
  }

  /// Notifies the observers of differences since they were last notified.
  ///
  /// The comparison follows the event. Therefore code that Observation tracks is notified after
  /// such a change, not before it.
  func compare(in object: NSManagedObject) {
    open.removeAll()
    let observers = list.all
    if !observers.isEmpty { fill(object, for: observers) }
    let fingerprint = Fingerprint(of: object)
    let isReplaced = fingerprint != self.fingerprint
    self.fingerprint = fingerprint
    for (key, former) in seen {
      if !isReplaced, !isList(key, of: object) { continue }
      let present = SeenValue(of: key, in: object)
      if SeenValue.isSame(former, present) { continue }
      seen[key] = present
      // Observers of the value were notified when it became unavailable.
      if former.isUnknown { continue }
      announce(key, in: object)
    }
  }

  private func compareStanding(of object: NSManagedObject) {
    guard let former = seen[.standing] else { return }
    let present = SeenValue(of: .standing, in: object)
    if SeenValue.isSame(former, present) { return }
    seen[.standing] = present
    announce(.standing, in: object)
  }

  private func announce(_ key: ObservedKey, in object: NSManagedObject) {
    willChange(key, in: object)
    open[key] = nil
    finish(PropertyObserver.Change(key: key, how: .setting), in: object)
  }

  private func isList(_ key: ObservedKey, of object: NSManagedObject) -> Bool {
    guard case .property(let ordinal) = key else { return false }
    return object.compiledEntity.properties[ordinal].relationship?.isToMany == true
  }

  /// Reads the values that observers need: those of the object and of the observed lists.
  private func fill(_ object: NSManagedObject, for observers: [PropertyObserver]) {
    guard object.isPresent, let context = object.context else { return }
    context.loadingFreely {
      object.realizeIfNeeded()
      guard object.contents.hasValues else { return }
      for case .property(let ordinal)? in observers.map(\.key)
      where isList(.property(ordinal), of: object) {
        _ = object.loadedMembers(ordinal)
      }
    }
  }

  /// Ends the observation after the object has left its context.
  func end(in object: NSManagedObject) {
    compareStanding(of: object)
    let known = seen.keys.filter { $0 != .standing }
    seen.removeAll()
    fingerprint = nil
    // The values are gone with the context, so code that shows them must run again.
    for key in known { paths[key].map { registrar.willSet(object, keyPath: $0) } }
    list.end()
  }

  /// Ends the observation of an object that no longer has these observers.
  ///
  /// Tracked code is notified, so that it reads the object again and is tracked by other observers.
  func dismiss(from object: NSManagedObject) {
    for path in paths.values { registrar.willSet(object, keyPath: path) }
    list.end()
  }
}
