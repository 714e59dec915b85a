public import Foundation

/// A model that specifies how objects of a source model become objects of a destination model.
///
/// > Concurrency: Use a mapping model on one thread at a time.
/// > Reference: Apple, NSMappingModel.
open class NSMappingModel: NSObject {
  /// The entity mappings, in the order in which a migration manager processes them; empty by
  /// default. The value nil counts as an empty array.
  open var entityMappings: [NSEntityMapping]! = []

  /// Creates a mapping model without mappings.
  public override init() { super.init() }

  /// The entity mappings, keyed by name. If several mappings have the same name, the dictionary
  /// contains the first of these mappings.
  open var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary((entityMappings ?? []).map { ($0.name, $0) }) { first, _ in first }
  }
}
