internal import OpenObjectModel
internal import Synchronization

/// Observers of all properties on a key path, from an object through to-one relationships.
///
/// When a relationship in the path changes, the following observers move to its new destination.
///
/// > Concurrency: Created and notified on the context's queue; may be ended on any thread.
// Invariant of the unchecked conformance: the state is behind the lock; everything else is
// immutable, and the functions are called on the context's queue only.
final class KeyPathSubscription: @unchecked Sendable {
  /// A function that is called with each change of the value at the end of the key path.
  typealias Handler = (ObservedChange) -> Void

  private let keys: [String]
  private let willChange: Handler?
  private let didChange: Handler
  private let didEnd: @Sendable () -> Void
  private let state = Mutex(State())

  private struct State {
    var attachments: [ObserverAttachment] = []
    var isEnded = false
  }

  /// Observes a key path of an object.
  ///
  /// - Returns: nil for a key path that does not consist of managed properties, which is reported
  ///   as misuse.
  init?(
    to keyPath: AnyKeyPath, of object: NSManagedObject, willChange: Handler? = nil,
    didChange: @escaping Handler, didEnd: @escaping @Sendable () -> Void = {}
  ) {
    self.willChange = willChange
    self.didChange = didChange
    self.didEnd = didEnd
    keys = KeyRecorder.name(of: keyPath)?.split(separator: ".").map(String.init) ?? []
    guard !keys.isEmpty, Self.leads(keys, from: object) else {
      object.reportMisuse(
        "Only managed properties can be observed, including those of to-one destinations. "
          + "\(keyPath) does not refer to a managed property.",
        nil)
      return nil
    }
    attach(to: object, from: 0)
  }

  deinit { end() }

  /// Returns whether the last key is a property and all other keys are to-one relationships.
  private static func leads(_ keys: [String], from object: NSManagedObject) -> Bool {
    var entity = object.compiledEntity
    for key in keys.dropLast() {
      guard let ordinal = entity.ordinal(of: key),
        let relationship = entity.properties[ordinal].relationship, !relationship.isToMany
      else { return false }
      entity = relationship.destination
    }
    return keys.last.flatMap { entity.ordinal(of: $0) } != nil
  }

  /// Observes the properties from a step of the key path on, beginning with an object.
  private func attach(to object: NSManagedObject, from start: Int) {
    var current: NSManagedObject? = object
    for (step, key) in keys.enumerated().dropFirst(start) {
      guard let owner = current, let ordinal = owner.compiledEntity.ordinal(of: key) else { return }
      let attachment = owner.addObserver(observer(of: ordinal, step))
      state.withLock { if !$0.isEnded { $0.attachments.append(attachment) } }
      current = step == keys.count - 1 ? nil : owner.destination(ordinal)
    }
  }

  private func observer(of ordinal: Int, _ step: Int) -> PropertyObserver {
    let isLast = step == keys.count - 1
    // If an object other than the first goes away, it is no longer on the path.
    let end: @Sendable () -> Void = if step == 0 { didEnd } else { {} }
    var announce: ((PropertyObserver.Change) -> Void)?
    if let willChange {
      announce = { change in willChange(isLast ? change.how : .setting) }
    }
    return PropertyObserver(
      .property(ordinal), willChange: announce,
      didChange: { [weak self] change, object in
        self?.follow(change, of: object, step)
      },
      didEnd: end)
  }

  private func follow(_ change: PropertyObserver.Change, of object: NSManagedObject, _ step: Int) {
    guard step < keys.count - 1 else { return didChange(change.how) }
    let dropped = state.withLock { state in
      let dropped = state.attachments.dropFirst(step + 1)
      state.attachments.removeSubrange(min(step + 1, state.attachments.count)...)
      return Array(dropped)
    }
    withExtendedLifetime(dropped) {}
    if case .property(let ordinal) = change.key, let next = object.destination(ordinal) {
      attach(to: next, from: step + 1)
    }
    didChange(.setting)
  }

  /// Ends the observation.
  func end() {
    let attachments = state.withLock { state in
      defer { state.attachments = [] }
      state.isEnded = true
      return state.attachments
    }
    withExtendedLifetime(attachments) {}
  }
}
