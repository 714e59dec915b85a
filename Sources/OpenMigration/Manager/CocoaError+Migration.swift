package import Foundation
internal import OpenObjectGraph
package import OpenObjectModel

extension CocoaError {
  /// Returns the error with code 134110 for a failed migration.
  ///
  /// - Parameters:
  ///   - message: The description of the error.
  ///   - underlying: The underlying error, or nil if there is none.
  package static func migration(_ message: String, _ underlying: (any Error)? = nil) -> CocoaError {
    make(
      CocoaError.Code(rawValue: NSMigrationError), message,
      userInfo: underlying.map { [NSUnderlyingErrorKey: $0] } ?? [:])
  }

  /// Returns the error with code 134190 for two models between which no mapping can be inferred.
  static func notInferred(_ error: InferenceError) -> CocoaError {
    make(
      CocoaError.Code(rawValue: NSInferredMappingModelError),
      "A mapping between the models cannot be inferred.\n\(error)",
      userInfo: ["reason": "\(error)", NSUnderlyingErrorKey: error])
  }
}

extension NSManagedObjectModel {
  /// Returns the ``CompiledModel`` of the model and freezes the model.
  ///
  /// - Throws: `CocoaError` 134110 if the model is invalid.
  package func usable() throws -> CompiledModel {
    do throws(ModelError) { return try compiled() } catch {
      throw CocoaError.migration("A version of the model cannot be used: \(error)", error)
    }
  }
}
