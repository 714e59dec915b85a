internal import Foundation
internal import OpenPredicates

/// A description of a property whose value is the result of a fetch request.
///
/// A ``CompiledModel`` omits fetched properties, because these properties have no column. A fetched
/// property is transient.
///
/// > Concurrency: Confined to one thread until the model is used; afterward, any thread may read
/// > the description.
/// > Reference: Apple, NSFetchedPropertyDescription.
open class NSFetchedPropertyDescription: NSPropertyDescription {
  /// The fetch request, whose predicate may use `$FETCH_SOURCE` and `$FETCHED_PROPERTY`; nil until
  /// you set a request.
  package var template: FetchTemplate? { didSet { checkMutable() } }

  /// Creates a transient property without a name.
  public override init() {
    super.init()
    isTransient = true
  }
}
