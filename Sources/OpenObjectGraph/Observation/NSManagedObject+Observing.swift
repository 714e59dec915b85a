internal import Foundation
internal import OpenObjectModel

// What accessors and edits of managed objects call. All of it is reached only where `contents` is not `realized`, or where the
// object has extras.

extension NSManagedObject {
  /// Gives the object its state with values: watched if reads are tracked or anything observes it.
  @inline(__always)
  final func becomeRealized() {
    let isTracking = borrowing(registry) { $0.observation.tracksReads } ?? false
    contents = isTracking || extras?.observers != nil ? .watched : .realized
  }

  /// The observers of a change; nil without observers, and while changes are not tracked.
  final var changeObservers: ObjectObservers? {
    guard let observers = extras?.observers, !flags.contains(.untracked) else { return nil }
    return observers
  }

  // MARK: Reads

  /// Notes a read of a property by its accessor.
  @inline(never)
  final func noteRead(_ key: __ManagedKey) {
    observersIfTracking?.access(ObservedKey(key.name, of: self), of: self)
  }

  /// Notes a read of a property.
  @inline(__always)
  final func noteRead(_ key: @autoclosure () -> ObservedKey) {
    // A list may be read of an object that stays a fault.
    if contents != .realized { observersIfTracking?.access(key(), of: self) }
  }

  /// Notes a read of whether the object is a fault, inserted, updated or deleted.
  @inline(__always)
  final func noteStandingRead() {
    if contents != .realized { noteStandingReadSlowly() }
  }

  @inline(never)
  private final func noteStandingReadSlowly() {
    observersIfTracking?.access(.standing, of: self)
  }

  /// The observers, where tracked code runs.
  private final var observersIfTracking: ObjectObservers? {
    if extras != nil, let observers = extras?.observers {
      return observers.isTracking(self) ? observers : nil
    }
    return borrowing(registry) { registry in
      borrowing(registry.observation) { $0.observersIfTracking(self) }
    } ?? nil
  }

  // MARK: Changes

  /// Changes a property, and tells its observers before and after.
  final func changing(_ ordinal: Int, _ change: () -> Void) {
    guard let observers = changeObservers else { return change() }
    let keys = observedKeys(ordinal)
    for key in keys { observers.willChange(key, in: self) }
    change()
    for key in keys { observers.didChange(key, in: self) }
  }

  /// The keys under which a property is observed: an element's composite attribute changes with it.
  private final func observedKeys(_ ordinal: Int) -> [ObservedKey] {
    let property = compiledEntity.properties[ordinal]
    guard property.isElement, let composite = compiledEntity.composite(of: property) else {
      return [.property(ordinal)]
    }
    return [.property(ordinal), .property(composite.ordinal)]
  }

  /// Adds a member to a to-many relationship, or removes one, and tells the observers of the relationship before and after.
  ///
  /// - Parameter change: Changes the list; returns whether it did.
  final func changingMember(
    _ member: NSManagedObject, _ kind: NSKeyValueChange, of ordinal: Int, _ change: () -> Bool
  ) -> Bool {
    guard let observers = changeObservers, observers.concerns(.property(ordinal)) else {
      return change()
    }
    let state = loadedMembers(ordinal)
    // Observers are not notified if nothing changes.
    guard let members = state.members, members.contains(member) == (kind == .removal) else {
      return change()
    }
    var place: Int?
    if state.isOrdered {
      let list = members.objects
      place = kind == .insertion ? list.count : list.firstIndex { $0 === member }
    }
    let how = ObservedChange.members([member], kind, at: place.map { IndexSet(integer: $0) })
    observers.willChange(.property(ordinal), how, in: self)
    let isChanged = change()
    observers.didChange(.property(ordinal), how, in: self)
    return isChanged
  }

  /// Changes the members or positions of an ordered relationship, and notifies its observers before and after.
  ///
  /// - Parameters:
  ///   - members: The members that it is going to have.
  ///   - change: Changes the list.
  final func changingPlaces(
    of ordinal: Int, to members: [NSManagedObject], _ change: () -> Void
  ) {
    guard let observers = changeObservers, observers.concerns(.property(ordinal)),
      let former = loadedMembers(ordinal).members?.objects,
      let how = ObservedChange.between(former, members)
    else { return change() }
    observers.willChange(.property(ordinal), how, in: self)
    change()
    observers.didChange(.property(ordinal), how, in: self)
  }

  /// Tells observers what an event made of the object.
  final func compareForObservers() { extras?.observers?.compare(in: self) }

  // MARK: Observers

  /// Adds an observer; the object is read first if it is a fault.
  ///
  /// - Returns: What keeps the observer until it goes.
  final func addObserver(_ observer: PropertyObserver) -> ObserverAttachment {
    realizeIfNeeded()
    return makeObservers().add(observer, to: self)
  }

  /// The object's observers, made if there are none.
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
