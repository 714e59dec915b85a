internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// The destinations to which the rows and join rows of a save refer.
///
/// The destinations are rows that must exist at the commit. A destination that cannot be saved is
/// recorded as a failure. Destinations are collected while rows are packed, because packing visits
/// each destination anyway. Confined to one ``ChangeSetBuilder``. Recorded destinations carry a
/// mark until ``takeReferenced()`` is called.
struct SavedReferences {
  /// The receiver of the save.
  enum Taker {
    case store
    /// A parent context, in which unsaved objects may be destinations.
    case parent
  }

  private let taker: Taker
  /// The destinations that the save does not insert, without duplicates. The saved objects retain
  /// the destinations.
  private var destinations: [Unmanaged<NSManagedObject>] = []
  private var failures: [any Error] = []

  init(_ taker: Taker) { self.taker = taker }

  /// Records the destination of an unsaved value, if the value is an object.
  @inline(__always)
  mutating func note(_ edit: EditValue, _ ordinal: Int, of source: NSManagedObject) {
    guard case .object(let destination) = edit else { return }
    note(destination, ordinal, of: source)
  }

  /// Records a destination.
  @inline(__always)
  mutating func note(_ destination: NSManagedObject, _ ordinal: Int, of source: NSManagedObject) {
    // Almost all destinations are inserted by this save or already recorded.
    if destination.registration == .inserted, destination.storePosition == source.storePosition,
      destination.key > 0 || ProvisionalKey.contains(destination.key)
    {
      return
    }
    if destination.flags.contains(.referenced) { return }
    noteFirst(destination, ordinal, of: source)
  }

  @inline(never)
  private mutating func noteFirst(
    _ destination: NSManagedObject, _ ordinal: Int, of source: NSManagedObject
  ) {
    if source.compiledEntity.properties[ordinal].isTransient { return }
    guard destination.registry === source.registry else {
      return refuse(destination, ordinal, source)
    }
    switch destination.registration {
    case .detached: return refuse(destination, ordinal, source)
    case .deleted where !destination.isRowMissing:
      return refuse(destination, ordinal, source)
    case .inserted, .persistent, .deleted: break
    }
    guard taker == .store else { return }
    guard destination.storePosition == source.storePosition else {
      return refuseOtherStore(destination, ordinal, source)
    }
    guard destination.key > 0 else { return refuse(destination, ordinal, source) }
    noteRow(of: destination)
  }

  /// Records an object whose row must exist even if the save does not write it.
  mutating func noteRow(of object: NSManagedObject) {
    guard taker == .store, object.registration != .inserted, !object.flags.contains(.referenced)
    else { return }
    object.setReferenced(true)
    destinations.append(.passUnretained(object))
  }

  private mutating func refuse(
    _ destination: NSManagedObject, _ ordinal: Int, _ source: NSManagedObject
  ) {
    let name = source.compiledEntity.properties[ordinal].name
    let isForeign =
      destination.key < 0 && (destination.registration == .persistent || destination.isRowMissing)
    let reason =
      isForeign
      ? "The id of the object is a temporary id of another context. Save that context and use the permanent id, or set"
      : "The object was deleted, or is not in a context. Set"
    failures.append(
      CocoaError.validation(
        NSManagedObjectValidationError,
        "\(name): Dangling reference to an invalid object. \(reason) another destination or nil.",
        object: source, key: name, value: destination))
  }

  private mutating func refuseOtherStore(
    _ destination: NSManagedObject, _ ordinal: Int, _ source: NSManagedObject
  ) {
    let name = source.compiledEntity.properties[ordinal].name
    failures.append(
      CocoaError.make(
        .managedObjectExternalRelationship,
        "\(name): A relationship cannot refer to an object in another store.",
        userInfo: [
          NSValidationObjectErrorKey: source, NSValidationKeyErrorKey: name,
          NSValidationValueErrorKey: destination,
        ]))
  }

  /// Returns the rows that must exist and removes the marks from the objects.
  mutating func takeReferenced() -> [ObjectKey] {
    defer { destinations.removeAll() }
    return destinations.map { destination in
      destination._withUnsafeGuaranteedRef { object in
        object.setReferenced(false)
        return ObjectKey(entityIndex: object.compiledEntity.index, key: object.key)
      }
    }
  }

  /// Throws an error that reports all references that cannot be saved, if there are any.
  func throwFailures() throws(StoreError) {
    guard let error = CocoaError.combining(failures) else { return }
    throw StoreError(
      .danglingReference, "A relationship refers to an object that cannot be saved.",
      underlying: error)
  }
}
