/// The errors of writes that changed nothing, which an object without a context keeps until a
/// context inserts it.
///
/// The extras of the object contain the errors.
///
/// > Concurrency: Confined to the context's queue.
package enum FailedWrites {
  /// Makes the next save throw the error of a write that changed nothing.
  ///
  /// If the object has no context, it keeps the error for ``take(from:)``.
  ///
  /// - Parameters:
  ///   - error: The error of the write.
  ///   - property: The name of the property.
  ///   - object: The object that has the property.
  package static func note(
    _ error: any Error, to property: String, of object: NSManagedObject
  ) {
    guard object.context == nil else { return object.note(error) }
    GraphLog.error("\(error)")
    object.makeExtras().failedWrites[property] = error
  }

  /// Forgets the failed write to a property, after a successful write to the property.
  ///
  /// - Parameters:
  ///   - property: The name of the property.
  ///   - object: The object that has the property.
  package static func forget(_ property: String, of object: NSManagedObject) {
    if let extras = object.extras, !extras.failedWrites.isEmpty {
      extras.failedWrites[property] = nil
    }
  }

  /// Returns the errors that the object has kept, and forgets them.
  ///
  /// - Parameter object: The object.
  /// - Returns: The errors, in the order of the properties' names.
  package static func take(from object: NSManagedObject) -> [any Error] {
    guard let extras = object.extras, !extras.failedWrites.isEmpty else { return [] }
    let errors = extras.failedWrites.sorted { $0.key < $1.key }.map(\.value)
    extras.failedWrites.removeAll()
    return errors
  }
}
