package import Foundation
internal import OpenObjectGraph
package import OpenObjectModel

extension CocoaError {
  /// A failed migration.
  package static func migration(_ message: String, _ underlying: (any Error)? = nil) -> CocoaError {
    make(
      CocoaError.Code(rawValue: NSMigrationError), message,
      userInfo: underlying.map { [NSUnderlyingErrorKey: $0] } ?? [:])
  }

  /// No mapping follows from two models.
  static func notInferred(_ error: InferenceError) -> CocoaError {
    make(
      CocoaError.Code(rawValue: NSInferredMappingModelError),
      "No mapping between the models can be inferred.\n\(error)",
      userInfo: ["reason": "\(error)", NSUnderlyingErrorKey: error])
  }
}

extension NSManagedObjectModel {
  /// The compiled form.
  ///
  /// - Throws: `CocoaError` 134110 for a model that cannot be used.
  package func usable() throws -> CompiledModel {
    do throws(ModelError) { return try compiled() } catch {
      throw CocoaError.migration("A version of the model cannot be used: \(error)", error)
    }
  }
}
