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
    var userInfo: [String: Any] = [NSUnderlyingErrorKey: error]
    if let problem = error.foremost {
      userInfo["entity"] = problem.entityName
      userInfo["property"] = problem.propertyName
      userInfo["reason"] =
        problem.code == .attributeType
        ? "Source and destination attribute types are incompatible" : problem.change
    }
    return make(
      CocoaError.Code(rawValue: NSInferredMappingModelError),
      "A mapping between the models cannot be inferred.\n\(error)", userInfo: userInfo)
  }

  /// Returns the error of an automatic migration that needs a mapping that cannot be inferred.
  ///
  /// As on Apple platforms, the code is 134110 if objects would have no value for a
  /// required property. Otherwise, the code is 134140.
  ///
  /// - Parameters:
  ///   - error: The error with code 134190.
  ///   - source: The model of the store.
  ///   - destination: The model to which the store should be migrated.
  ///   - path: The path of the store.
  static func notMigrated(
    _ error: CocoaError, from source: NSManagedObjectModel, to destination: NSManagedObjectModel,
    path: String
  ) -> CocoaError {
    var userInfo: [String: Any] = [NSUnderlyingErrorKey: error]
    let cause = error.userInfo[NSUnderlyingErrorKey] as? InferenceError
    if let problem = cause?.foremost, problem.isMissingValue {
      userInfo["reason"] =
        "Cannot migrate store in-place: Validation error missing attribute values on mandatory destination "
        + (problem.isOfAttribute ? "attribute" : "relationship")
      return make(
        CocoaError.Code(rawValue: NSMigrationError), error.localizedDescription, path: path,
        userInfo: userInfo)
    }
    userInfo["reason"] = "Can't find or automatically infer mapping model for migration"
    userInfo["sourceModel"] = source
    userInfo["destinationModel"] = destination
    return make(
      CocoaError.Code(rawValue: NSMigrationMissingMappingModelError), error.localizedDescription,
      path: path, userInfo: userInfo)
  }
}

extension NSManagedObjectModel {
  /// Makes the model immutable, and returns the model as a `CompiledModel`.
  ///
  /// - Throws: `CocoaError` 134110 if the model is invalid.
  package func usable() throws -> CompiledModel {
    do throws(ModelError) { return try compiled() } catch {
      throw CocoaError.migration("A version of the model cannot be used: \(error)", error)
    }
  }
}
