internal import Foundation
public import OpenObjectModel
internal import OpenPredicates

// Fetch requests that a model stores by name, and the requests of fetched properties.

extension NSManagedObjectModel {
  /// Stores a copy of a request under a name; nil removes the request with that name.
  ///
  /// The method traps if a coordinator has been created with the model.
  ///
  /// Model documents and model archives omit the following parts of the request: the prefetched
  /// relationships, the affected stores, the properties to fetch and to group by, the condition on
  /// groups, the comparators of sort descriptors, `shouldRefreshRefetchedObjects` and
  /// `allowsEvaluationInMemory`.
  ///
  /// - Parameters:
  ///   - fetchRequestTemplate: The request; nil to remove the template.
  ///   - name: The name of the template.
  /// > Reference: Apple, setFetchRequestTemplate(_:forName:).
  public func setFetchRequestTemplate(
    _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
  ) {
    fetchTemplates[name] = fetchRequestTemplate.map { FetchTemplate($0) }
  }

  /// Returns a copy of the request template with the given name.
  ///
  /// - Parameter name: The name of the template.
  /// - Returns: A copy, which may be changed; nil if no template has this name.
  /// > Reference: Apple, fetchRequestTemplate(forName:). Differs: Apple returns the template
  /// > itself, which cannot be changed (D-044).
  public func fetchRequestTemplate(
    forName name: String
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    fetchTemplates[name].map { $0.request() }
  }

  /// Returns a copy of a request template in which values replace the variables.
  ///
  /// - Parameters:
  ///   - name: The name of the template.
  ///   - variables: The values, by variable name without the dollar sign. Use `NSNull` for nil.
  /// - Returns: The copy; nil if no template has this name.
  /// > Reference: Apple, fetchRequestFromTemplate(withName:substitutionVariables:). Differs: if a
  /// > variable has no value, Apple's method raises an exception. Here, a fetch with the copy
  /// > throws `CocoaError` 134060 (D-044).
  public func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    guard let request = fetchRequestTemplate(forName: name) else { return nil }
    request.predicate = request.predicate?.withSubstitutionVariables(variables)
    return request
  }

  /// Copies of all request templates, by name; empty if there are none.
  ///
  /// > Reference: Apple, fetchRequestTemplatesByName.
  public var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
    fetchTemplates.mapValues { $0.request() }
  }
}

extension NSFetchedPropertyDescription {
  /// The request that fetches the objects of the property; nil if no request was set.
  ///
  /// The request's predicate may use `$FETCH_SOURCE` for the object whose property is read, and
  /// `$FETCHED_PROPERTY` for this description. The getter and the setter copy the request. The
  /// setter traps if a coordinator has been created with the model of the property.
  ///
  /// > Reference: Apple, NSFetchedPropertyDescription.fetchRequest.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    get { template?.request() }
    set { template = newValue.map { FetchTemplate($0) } }
  }
}

extension FetchTemplate {
  /// Creates a template from a request.
  init(_ request: NSFetchRequest<any NSFetchRequestResult>) {
    self.init(entityName: request.entityName, predicate: request.predicate)
    let copy = NSFetchRequest<any NSFetchRequestResult>(copying: request)
    // Copies of the model have entities of their own, which the name finds.
    copy.adoptName(of: request)
    copy.entity = nil
    original = copy
    sortKeys = (request.sortDescriptors ?? []).compactMap { descriptor in
      descriptor.key.map {
        SortKey(key: $0, isAscending: descriptor.ascending, selector: descriptor.selectorName)
      }
    }
    fetchLimit = request.fetchLimit
    fetchOffset = request.fetchOffset
    fetchBatchSize = request.fetchBatchSize
    resultType = request.resultType.rawValue
    includesSubentities = request.includesSubentities
    includesPropertyValues = request.includesPropertyValues
    includesPendingChanges = request.includesPendingChanges
    returnsObjectsAsFaults = request.returnsObjectsAsFaults
    returnsDistinctResults = request.returnsDistinctResults
  }

  /// Returns a new request that is equivalent to the template.
  func request() -> NSFetchRequest<any NSFetchRequestResult> {
    if let original = original as? NSFetchRequest<any NSFetchRequestResult> {
      return NSFetchRequest(copying: original)
    }
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entityName ?? "")
    request.predicate = predicate
    if !sortKeys.isEmpty {
      request.sortDescriptors = sortKeys.map {
        NSSortDescriptor(
          key: $0.key, ascending: $0.isAscending, selectorName: $0.selector ?? "compare:")
      }
    }
    request.fetchLimit = fetchLimit
    request.fetchOffset = fetchOffset
    request.fetchBatchSize = fetchBatchSize
    request.resultType = NSFetchRequestResultType(rawValue: resultType)
    request.includesSubentities = includesSubentities
    request.includesPropertyValues = includesPropertyValues
    request.includesPendingChanges = includesPendingChanges
    request.returnsObjectsAsFaults = returnsObjectsAsFaults
    request.returnsDistinctResults = returnsDistinctResults
    return request
  }
}
