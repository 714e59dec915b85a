internal import Foundation
internal import OpenPredicates

/// A property whose value is the result of a fetch.
///
/// Compiled models omit fetched properties, because they have no column.
///
/// > Reference: Apple, NSFetchedPropertyDescription.
open class NSFetchedPropertyDescription: NSPropertyDescription {
  /// The property's request; its predicate may use `$FETCH_SOURCE` and `$FETCHED_PROPERTY`.
  package var template: FetchTemplate? { didSet { checkMutable() } }
}
