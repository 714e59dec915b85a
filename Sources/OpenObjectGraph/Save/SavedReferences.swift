internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// The destinations of the rows and pairs of a save: rows that must exist at the commit, and
/// objects that can never be saved.
///
/// The destinations are collected while rows are packed, when each destination is visited in any
/// case. Confined to one ``ChangeSetBuilder``. Between the first note and ``takeReferenced()``, the
/// destinations carry a mark.
struct SavedReferences {
  /// The receiver of the save.
  enum Taker {
    case store
    /// A parent context, in which unsaved objects may be destinations.
    case parent
  }

  private let taker: Taker
  /// Destinations that the save does not insert, without duplicates. The saved objects retain them.
  private var destinations: [Unmanaged<NSManagedObject>] = []
  private var failures: [any Error] = []

  init(_ taker: Taker) { self.taker = taker }

  /// Records an unsaved value that will be written.
  @inline(__always)
  mutating func note(_ edit: EditValue, _ ordinal: Int, of source: NSManagedObject) {
    guard case .object(let destination) = edit else { return }
    note(destination, ordinal, of: source)
  }

  /// Records a destination.
  @inline(__always)
  mutating func note(_ destination: NSManagedObject, _ ordinal: Int, of source: NSManagedObject) {
    // What almost all destinations are: inserted by this save, or noted already.
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
    failures.append(
      CocoaError.validation(
        NSManagedObjectValidationError,
        "\(name): Dangling reference to an invalid object; it is deleted, or in no context. Set another "
          + "destination or nil.",
        object: source, key: name, value: destination))
  }

  private mutating func refuseOtherStore(
    _ destination: NSManagedObject, _ ordinal: Int, _ source: NSManagedObject
  ) {
    let name = source.compiledEntity.properties[ordinal].name
    failures.append(
      CocoaError.make(
        .managedObjectExternalRelationship,
        "\(name): a relationship cannot lead to an object of another store.",
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

  /// Throws if references can never be saved. The error reports all of them.
  func throwFailures() throws(StoreError) {
    guard let error = CocoaError.combining(failures) else { return }
    throw StoreError(
      .danglingReference, "A relationship leads to an object that cannot be saved.",
      underlying: error)
  }
}
