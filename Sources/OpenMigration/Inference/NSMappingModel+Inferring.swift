internal import Foundation
public import OpenObjectModel

extension NSMappingModel {
  /// Infers a mapping model between two models from names and renaming identifiers.
  ///
  /// - Parameters:
  ///   - sourceModel: The source model.
  ///   - destinationModel: The destination model.
  /// - Returns: A mapping model with a mapping for each entity: `IEM_Add_X`, `IEM_Remove_X`,
  ///   `IEM_Copy_X` or `IEM_Transform_X`.
  /// - Throws: `CocoaError` 134190 whose underlying error is an ``InferenceError`` with every
  ///   change that prevents the inference.
  /// - Complexity: O(entities · properties), including inherited properties of each entity.
  /// > Reference: Apple, NSMappingModel, inferredMappingModel(forSourceModel:destinationModel:).
  public class func inferredMappingModel(
    forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel {
    do throws(InferenceError) {
      let model = NSMappingModel()
      model.entityMappings = try MappingInference(from: sourceModel, to: destinationModel).mappings
      return model
    } catch {
      throw CocoaError.notInferred(error)
    }
  }
}
