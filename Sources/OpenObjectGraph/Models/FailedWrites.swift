/// The errors of failed writes to an object without a context. The object keeps the errors until a
/// context inserts the object.
///
/// > Concurrency: Confined to the code that uses the object.
package struct FailedWrites {
  /// The errors by the names of the properties.
  private var errors: [String: any Error] = [:]

  /// Makes the next save throw the error of a failed write to a property.
  ///
  /// If the object has no context, the object keeps the error for ``take(from:)``.
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
    let extras = object.makeExtras()
    var writes = extras.failedWrites ?? FailedWrites()
    writes.errors[property] = error
    extras.failedWrites = writes
  }

  /// Forgets the failed write to a property, after a successful write to the property.
  ///
  /// - Parameters:
  ///   - property: The name of the property.
  ///   - object: The object that has the property.
  package static func forget(_ property: String, of object: NSManagedObject) {
    guard let extras = object.extras, extras.failedWrites != nil else { return }
    extras.failedWrites?.errors[property] = nil
  }

  /// Returns and removes the errors that the object has kept.
  ///
  /// - Parameter object: The object.
  /// - Returns: The errors, in the order of the properties' names.
  package static func take(from object: NSManagedObject) -> [any Error] {
    guard let extras = object.extras, let writes = extras.failedWrites else { return [] }
    extras.failedWrites = nil
    return writes.errors.sorted { $0.key < $1.key }.map(\.value)
  }
}
