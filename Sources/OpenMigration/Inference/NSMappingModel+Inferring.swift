internal import Foundation
public import OpenObjectModel

extension NSMappingModel {
  /// Infers a mapping model between two models from the names and renaming identifiers in the
  /// models.
  ///
  /// - Parameters:
  ///   - sourceModel: The source model.
  ///   - destinationModel: The destination model.
  /// - Returns: A mapping model with one mapping for each added, removed, copied or transformed
  ///   entity. The names of the mappings are `IEM_Add_X`, `IEM_Remove_X`, `IEM_Copy_X` and
  ///   `IEM_Transform_X`, where `X` is the name of the destination entity or of the removed entity.
  /// - Throws: `CocoaError` 134190 if no mapping can be inferred. The underlying error is an
  ///   ``InferenceError`` that lists every change that prevents the inference.
  /// - Complexity: O(entities · properties), where the properties of an entity include its
  ///   inherited properties.
  /// > Reference: Apple, NSMappingModel, inferredMappingModel(forSourceModel:destinationModel:).
  /// > Differs: D-438, D-439.
  public class func inferredMappingModel(
    forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel {
    do throws(InferenceError) {
      let inference = try MappingInference(from: sourceModel, to: destinationModel)
      try inference.requireValues()
      return NSMappingModel(inference)
    } catch {
      throw CocoaError.notInferred(error)
    }
  }

  /// Infers a mapping model, even if migrated objects may have no value for a required property.
  ///
  /// A migration with the mapping model fails if an object has no value for a required property.
  ///
  /// - Parameters:
  ///   - source: The source model.
  ///   - destination: The destination model.
  /// - Throws: `CocoaError` 134190 if a change other than a missing required value prevents the
  ///   inference.
  package convenience init(
    migratingFrom source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) throws {
    self.init(try MappingInference.required(from: source, to: destination))
  }

  convenience init(_ inference: MappingInference) {
    self.init()
    entityMappings = inference.mappings
  }
}

extension MappingInference {
  /// Infers the mapping of a migration that stops if no mapping can be inferred.
  ///
  /// - Throws: `CocoaError` 134190 if no mapping can be inferred.
  static func required(
    from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) throws -> MappingInference {
    do throws(InferenceError) {
      return try MappingInference(from: source, to: destination)
    } catch {
      throw CocoaError.notInferred(error)
    }
  }
}
