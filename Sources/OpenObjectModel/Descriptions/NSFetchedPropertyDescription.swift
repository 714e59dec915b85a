internal import Foundation

/// A property whose value is the result of a fetch.
///
/// Holds what a model document says of the fetch; compiled models leave fetched properties out.
///
/// > Reference: Apple, NSFetchedPropertyDescription.
open class NSFetchedPropertyDescription: NSPropertyDescription {
  /// Name of the entity to fetch.
  package var fetchedEntityName: String? { didSet { checkMutable() } }
  /// Format of the predicate; may use `$FETCH_SOURCE` and `$FETCHED_PROPERTY`.
  package var fetchedPredicateFormat: String? { didSet { checkMutable() } }
}
