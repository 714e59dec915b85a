public import Foundation

/// How objects of a source model become objects of a destination model.
///
/// > Concurrency: Used by one thread at a time.
/// > Reference: Apple, NSMappingModel.
open class NSMappingModel: NSObject {
  /// The mappings of entities, in the order in which a migration manager takes them.
  open var entityMappings: [NSEntityMapping]! = []

  /// Creates a model without mappings.
  public override init() { super.init() }

  /// The mappings by name; if several have the same name, the first one.
  open var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary((entityMappings ?? []).map { ($0.name, $0) }) { first, _ in first }
  }
}
