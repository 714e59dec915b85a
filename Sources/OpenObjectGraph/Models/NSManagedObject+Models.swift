package import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

// Part of the interface for a layer of typed models, such as SwiftData. This folder contains all of
// the interface, and the layer has no other access to the graph.

/// A managed object whose typed model exists only while the typed model is retained.
package protocol ModelOwning {
  /// The object's typed model, which is created if necessary.
  var ownedModel: AnyObject? { get }
}

extension NSManagedObject {
  // MARK: Reads

  /// Records a read of a property if Observation tracks the running code.
  ///
  /// The accessors of managed objects record reads only in contexts with
  /// ``NSManagedObjectContext/tracksObservation``. This method records reads in any context.
  ///
  /// - Parameter key: The key of the property.
  @inline(__always)
  package final func noteModelRead(_ key: __ManagedKey) {
    if ModelReads.isTracked { noteTrackedRead(key) }
  }

  /// Records a read of a value that is not a property of the model, if Observation tracks the
  /// running code.
  ///
  /// - Parameter name: The name under which the value is observed.
  package final func noteModelRead(named name: String) {
    if ModelReads.isTracked { makeObservers().access(ObservedKey(name, of: self), of: self) }
  }

  @inline(never)
  private final func noteTrackedRead(_ key: __ManagedKey) {
    makeObservers().access(ObservedKey(key.name, of: self), of: self)
  }

  /// Changes a value that is not a property of the model, and notifies the observers of the value.
  ///
  /// - Parameters:
  ///   - name: The name under which the value is observed.
  ///   - change: The closure that changes the value.
  /// - Returns: The result of `change`.
  /// - Throws: The error of `change`.
  package final func changing<Result, Failure: Error>(
    named name: String, _ change: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let observers = extras?.observers else { return try change() }
    return try observers.changing(named: name, of: self, change)
  }

  // MARK: Standing

  /// Whether the object does not belong to a context.
  package final var isDetached: Bool { registration == .detached }

  /// The object's compiled entity.
  package final var modelEntity: CompiledEntity { compiledEntity }

  /// Returns whether the entities of both objects belong to the same ``CompiledModel``.
  package final func sharesModel(with other: NSManagedObject) -> Bool {
    borrowing(compiledEntity) { mine in
      borrowing(other.compiledEntity) { theirs in mine.isOfSameModel(as: theirs) }
    }
  }

  /// Returns whether the object's entity belongs to the model of a context.
  package final func isOfModel(of context: NSManagedObjectContext) -> Bool {
    borrowing(compiledEntity) { $0.isPart(of: context.model) }
  }

  /// A number that identifies the entity among the entities of all models.
  package final var modelEntityToken: UInt32 {
    @inline(__always) get { entityToken }
  }

  /// Logs an `ObjectError`, and makes the next save of the object's context throw the error. If the
  /// object has no context, no save throws the error.
  ///
  /// - Parameters:
  ///   - message: The description of the misuse.
  ///   - property: The name of the misused property; nil if the misuse concerns no property.
  package final func deferError(_ message: String, property: String? = nil) {
    reportMisuse(message, property)
  }

  /// Makes saves throw the error of a read that could not return the stored value.
  ///
  /// If the object has a row, every save throws the error until the object is refreshed, or the
  /// context is rolled back or reset. If the object is unsaved or deleted, only the next save
  /// throws the error. If the object has no context, the method only logs the error. If the
  /// object's row does not exist, there is no stored value, and the method only logs a warning.
  ///
  /// - Parameter error: The error of the read.
  package final func deferFailedRead(_ error: any Error) {
    guard registration == .persistent, let context else { return MissingRow.note(error, of: self) }
    context.deferFailedRead(error, of: self)
  }
}

extension NSManagedObjectID {
  /// Returns whether the row of this id precedes the row of another id of the same entity.
  ///
  /// - Parameter other: The id to compare.
  /// - Returns: Whether this row comes first; nil if an id is temporary, if the ids have different
  ///   stores or entities, or if the store is a custom store.
  package func isRow(before other: NSManagedObjectID) -> Bool? {
    guard let store, store === other.store, compiledEntity === other.compiledEntity,
      !isTemporaryID, !other.isTemporaryID, store.references == nil
    else { return nil }
    return key < other.key
  }
}
