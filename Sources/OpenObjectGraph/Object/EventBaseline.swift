internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The unsaved values of an object before its first change in the current event.
///
/// A baseline exists only for an object that had unsaved changes before the event. Any other object
/// was equal to its stored state.
///
/// > Concurrency: Immutable; created and read on the context's queue.
final class EventBaseline {
  /// The members added to a to-many relationship, and the members removed from it.
  typealias Members = (added: [NSManagedObject], removed: [NSManagedObject])

  /// The number of the event.
  let event: Int
  let edits: [Int: EditValue]
  let members: [Int: Members]

  init(of object: NSManagedObject, event: Int) {
    self.event = event
    var edits: [Int: EditValue] = [:]
    object.edits.forEach { edits[$0] = $1 }
    self.edits = edits
    var members: [Int: Members] = [:]
    object.extras?.forEachMembers { state in
      if state.isEdited { members[state.ordinal] = (state.added.objects, state.removed.objects) }
    }
    self.members = members
  }
}

extension NSManagedObject {
  /// Stores the unsaved values if the next change is the object's first change in the event.
  @inline(never)
  final func takeEventBaseline() {
    guard !flags.contains(.announced), hasEdits else {
      return
    }
    withContext {
      makeExtras().eventBaseline = EventBaseline(of: self, event: $0.unitOfWork.event)
    }
  }

  /// Returns the properties that changed in the current event, with their previous values.
  ///
  /// An event begins with the first change after the context posted
  /// `NSManagedObjectContextObjectsDidChange`. The event ends after the context has posted the next
  /// notification, so observers of the notification can read the changes of the event. Outside of
  /// an event, the result is empty.
  ///
  /// A previous value of nil is returned as `NSNull`. Transient properties are omitted. The
  /// previous members of an ordered relationship may be in a different order than before the event.
  ///
  /// - Returns: The previous values, by property name.
  /// > Concurrency: Confined to the context's queue.
  /// > Complexity: O(*n*) in the number of changed properties. If a changed to-many relationship is
  /// > not loaded, the method reads its members from the store.
  /// > Reference: Apple, changedValuesForCurrentEvent().
  public final func changedValuesForCurrentEvent() -> [String: Any] {
    EventComparison(of: self)?.formerValues() ?? [:]
  }
}

extension UnitOfWork {
  /// The number of the event that has changed an object; nil outside an event.
  fileprivate func event(of object: NSManagedObject) -> Int? {
    if object.flags.contains(.announced) { return event }
    guard let announcement, announcement.hasChanged(object) else { return nil }
    return event - 1
  }
}

/// Compares an object with its state before the current event.
private struct EventComparison {
  private let object: NSManagedObject
  private let baseline: EventBaseline?

  /// Creates the comparison; nil if the object has not changed in the current event.
  init?(of object: NSManagedObject) {
    guard object.isPresent, let event = object.context?.unitOfWork.event(of: object) else {
      return nil
    }
    self.object = object
    baseline = object.extras?.eventBaseline.flatMap { $0.event == event ? $0 : nil }
  }

  private var entity: CompiledEntity { object.compiledEntity }

  /// Returns the previous values of the properties that differ, by name.
  func formerValues() -> [String: Any] {
    var values: [String: Any] = [:]
    var ordinals = object.edits.ordinals
    for ordinal in baseline?.edits.keys ?? [:].keys { ordinals.insert(ordinal) }
    for ordinal in ordinals.members {
      let property = entity.properties[ordinal]
      if property.isTransient || isSame(ordinal) { continue }
      if let composite = entity.composite(of: property) {
        let value = CompositeValue(composite, of: entity) { former($0) }
        values[composite.name] = value?.dictionary ?? NSNull()
      } else {
        values[property.name] = former(property) ?? NSNull()
      }
    }
    for ordinal in Set(object.extras?.editedToMany ?? []).union(baseline?.members.keys ?? [:].keys)
    {
      if entity.properties[ordinal].isTransient { continue }
      if let members = formerMembers(ordinal) { values[entity.properties[ordinal].name] = members }
    }
    return values
  }

  private func isSame(_ ordinal: Int) -> Bool {
    EditValue.isSame(
      baseline?.edits[ordinal] ?? EditValue.committed(ordinal, of: object),
      object.edits[ordinal] ?? EditValue.committed(ordinal, of: object))
  }

  private func former(_ property: CompiledProperty) -> Any? {
    switch baseline?.edits[property.ordinal] {
    case .value(let value): PropertyValue.anyValue(of: value, property, object)
    case .object(let destination): destination
    case .boxed(let box): box.value
    case nil: PropertyValue.committed(property, of: object)
    }
  }

  /// The members before the event; nil if the members have not changed.
  private func formerMembers(_ ordinal: Int) -> Any? {
    let state = object.loadedMembers(ordinal)
    let former = baseline?.members[ordinal] ?? ([], [])
    let (came, went) = (Set(former.added), Set(former.removed))
    if came == Set(state.added.objects), went == Set(state.removed.objects), !state.isReordered {
      return nil
    }
    let added = Set(state.added.objects)
    var members = (state.members?.objects ?? []).filter { !added.contains($0) || came.contains($0) }
    let present = Set(members)
    members += (state.removed.objects + former.added).filter {
      !present.contains($0) && !went.contains($0)
    }
    members.removeAll { went.contains($0) }
    return state.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
  }
}
