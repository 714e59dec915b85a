internal import Foundation
internal import OpenObjectModel

// The functions that accessors and edits of managed objects call for observation. They run only if
// `contents` is not `realized` or if the object has extras.

extension NSManagedObject {
  /// Marks the object as realized, and as watched if reads are tracked or it has observers.
  @inline(__always)
  final func becomeRealized() {
    let isTracking = borrowing(registry) { $0.observation.tracksReads } ?? false
    contents = isTracking || extras?.observers != nil ? .watched : .realized
  }

  /// The observers to notify of changes; nil if there are none or changes are not tracked.
  final var changeObservers: ObjectObservers? {
    guard let observers = extras?.observers, !flags.contains(.untracked) else { return nil }
    return observers
  }

  // MARK: Reads

  /// Records a read of a property by its accessor.
  @inline(never)
  final func noteRead(_ key: __ManagedKey) {
    observersIfTracking?.access(ObservedKey(key.name, of: self), of: self)
  }

  /// Records a read of a property.
  @inline(__always)
  final func noteRead(_ key: @autoclosure () -> ObservedKey) {
    // A list may be read from an object that remains a fault.
    if contents != .realized { observersIfTracking?.access(key(), of: self) }
  }

  /// Records a read of whether the object is a fault, inserted, updated or deleted.
  @inline(__always)
  final func noteStandingRead() {
    if contents != .realized { noteStandingReadSlowly() }
  }

  @inline(never)
  private final func noteStandingReadSlowly() {
    observersIfTracking?.access(.standing, of: self)
  }

  /// The observers, if tracked code is running.
  private final var observersIfTracking: ObjectObservers? {
    if extras != nil, let observers = extras?.observers {
      return observers.isTracking(self) ? observers : nil
    }
    return borrowing(registry) { registry in
      borrowing(registry.observation) { $0.observersIfTracking(self) }
    } ?? nil
  }

  // MARK: Changes

  /// Changes a property, and notifies its observers before and after the change.
  final func changing(_ ordinal: Int, _ change: () -> Void) {
    guard let observers = changeObservers else { return change() }
    observers.changing(ordinal, of: self, change)
  }

  /// Adds or removes a member of a to-many relationship, and notifies the observers.
  ///
  /// - Parameter change: Changes the list, and returns whether the list has changed.
  final func changingMember(
    _ member: NSManagedObject, _ kind: NSKeyValueChange, of ordinal: Int, _ change: () -> Bool
  ) -> Bool {
    guard let observers = changeObservers, observers.concerns(.property(ordinal)) else {
      return change()
    }
    return observers.changingMember(member, kind, ordinal, of: self, change)
  }

  /// Changes the members or positions of an ordered relationship, and notifies the observers.
  ///
  /// - Parameters:
  ///   - members: The members after the change.
  ///   - change: Changes the list.
  final func changingPlaces(
    of ordinal: Int, to members: [NSManagedObject], _ change: () -> Void
  ) {
    guard let observers = changeObservers, observers.concerns(.property(ordinal)) else {
      return change()
    }
    observers.changingPlaces(ordinal, to: members, of: self, change)
  }

  /// Notifies the observers of the object's differences after an event.
  final func compareForObservers() { extras?.observers?.compare(in: self) }

  // MARK: Observers

  /// Adds an observer; a fault is read first.
  ///
  /// - Returns: An attachment that keeps the observer until the attachment is released.
  final func addObserver(_ observer: PropertyObserver) -> ObserverAttachment {
    realizeIfNeeded()
    return makeObservers().add(observer, to: self)
  }

  /// Returns the object's observers, creating them if necessary.
  final func makeObservers() -> ObjectObservers {
    if let observers = extras?.observers { return observers }
    let observers = ObjectObservers()
    if let registry {
      registry.observation.add(observers, to: self)
    } else {
      makeExtras().observers = observers
      if contents.hasValues { contents = .watched }
    }
    return observers
  }
}
