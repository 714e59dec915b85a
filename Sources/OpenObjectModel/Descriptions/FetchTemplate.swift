package import Foundation

/// What a model says of a fetch: that of a fetched property, or one kept by name.
///
/// The object graph turns it into a fetch request and back.
package struct FetchTemplate {
  /// One key to sort by.
  package struct SortKey: Hashable {
    package var key: String
    package var isAscending: Bool
    /// The name of the comparison's selector, such as `compare:`; nil for the usual order.
    package var selector: String?

    package init(key: String, isAscending: Bool, selector: String? = nil) {
      self.key = key
      self.isAscending = isAscending
      self.selector = selector
    }
  }

  /// The fetch request that the template was created from; nil for a template of a document or an archive.
  ///
  /// A request has parts that documents and archives do not store, such as the properties to fetch.
  package var original: AnyObject?
  package var entityName: String?
  /// May hold `$` variables.
  package var predicate: NSPredicate?
  package var sortKeys: [SortKey] = []
  package var fetchLimit = 0
  package var fetchOffset = 0
  package var fetchBatchSize = 0
  /// Raw value of the request's result type.
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
