package import Foundation

/// A fetch request in a model: the request of a fetched property, or a fetch request template.
///
/// The object graph converts templates to fetch requests and back.
package struct FetchTemplate {
  /// A sort key of the request.
  package struct SortKey: Hashable {
    package var key: String
    package var isAscending: Bool
    /// The name of the comparison's selector, such as `compare:`; nil for the default order.
    package var selector: String?

    package init(key: String, isAscending: Bool, selector: String? = nil) {
      self.key = key
      self.isAscending = isAscending
      self.selector = selector
    }
  }

  /// The fetch request that the template was created from; nil for a template that was read from a
  /// document or an archive.
  ///
  /// A request has parts that documents and archives do not store, such as the properties to fetch.
  package var original: AnyObject?
  package var entityName: String?
  /// The predicate, which may contain `$` variables; nil for all objects.
  package var predicate: NSPredicate?
  package var sortKeys: [SortKey] = []
  package var fetchLimit = 0
  package var fetchOffset = 0
  package var fetchBatchSize = 0
  /// The raw value of the request's result type; 0 for objects.
  package var resultType: UInt = 0
  package var includesSubentities = true
  package var includesPropertyValues = true
  package var includesPendingChanges = true
  package var returnsObjectsAsFaults = true
  package var returnsDistinctResults = false

  package init(entityName: String?, predicate: NSPredicate? = nil) {
    self.entityName = entityName
    self.predicate = predicate
  }
}
