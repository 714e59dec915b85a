internal import Synchronization

/// An observer of one property of an object, or of all its properties.
///
/// The functions of the observer run on the queue of the object's context. Observers may be removed
/// on any thread.
// Invariant of the unchecked conformance: immutable, and the functions are called on the context's
// queue only.
final class PropertyObserver: @unchecked Sendable {
  /// A change of a property.
  struct Change {
    let key: ObservedKey
    let how: ObservedChange
  }

  /// The property; nil for all properties and the standing.
  let key: ObservedKey?
  /// Called before a property is set.
  let willChange: ((Change) -> Void)?
  /// Called after a change.
  let didChange: (Change, NSManagedObject) -> Void
  /// Called when the object has left its context or was deallocated.
  let didEnd: @Sendable () -> Void

  init(
    _ key: ObservedKey?, willChange: ((Change) -> Void)? = nil,
    didChange: @escaping (Change, NSManagedObject) -> Void,
    didEnd: @escaping @Sendable () -> Void = {}
  ) {
    self.key = key
    self.willChange = willChange
    self.didChange = didChange
    self.didEnd = didEnd
  }

  func observes(_ other: ObservedKey) -> Bool {
    guard let key else {
      if case .named = other { return false }
      return true
    }
    return key == other
  }
}

/// The observers of one object.
///
/// > Concurrency: Any thread; observers are called outside the lock.
final class ObserverList: Sendable {
  private let observers = Mutex<[PropertyObserver]>([])

  var all: [PropertyObserver] { observers.withLock { $0 } }

  func add(_ observer: PropertyObserver) { observers.withLock { $0.append(observer) } }

  func remove(_ observer: PropertyObserver) {
    // The contents of the removed observer are released outside the lock.
    let removed = observers.withLock { observers -> PropertyObserver? in
      let index = observers.firstIndex { $0 === observer }
      return index.map { observers.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }

  /// Notifies all observers that the object has left its context.
  func end() { for observer in all { observer.didEnd() } }
}

/// The attachment of one observer to the list of an object; ends the observation when deallocated.
///
/// > Concurrency: Any thread.
final class ObserverAttachment: Sendable {
  private let observer: PropertyObserver
  private let list: ObserverList

  init(_ observer: PropertyObserver, in list: ObserverList) {
    self.observer = observer
    self.list = list
    list.add(observer)
  }

  deinit { list.remove(observer) }
}
