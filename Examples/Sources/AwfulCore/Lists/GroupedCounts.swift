import CoreData

/// How many objects belong to each of several others, with one statement for all.
enum GroupedCounts {
  /// Counts the objects of an entity by the object that a to-one relationship leads to.
  ///
  /// - Parameters:
  ///   - entity: What is counted.
  ///   - relationship: The relationship to count by.
  ///   - predicate: Which objects are counted; nil counts all.
  ///   - context: Where to count; what is not saved there does not count.
  /// - Returns: The counts by the ids of the objects at the other end; those without any are missing.
  /// - Throws: What the fetch throws.
  static func counts(
    of entity: String, by relationship: String, where predicate: NSPredicate? = nil,
    in context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID: Int] {
    let count = NSExpressionDescription()
    count.name = "count"
    count.expression = NSExpression(
      forFunction: "count:", arguments: [NSExpression.expressionForEvaluatedObject()])
    count.expressionResultType = .integer64AttributeType
    let request = NSFetchRequest<NSDictionary>(entityName: entity)
    request.predicate = predicate
    request.resultType = .dictionaryResultType
    request.propertiesToGroupBy = [relationship]
    request.propertiesToFetch = [relationship, count]
    var counts: [NSManagedObjectID: Int] = [:]
    for row in try context.fetch(request) {
      guard let id = row[relationship] as? NSManagedObjectID, let count = row["count"] as? Int
      else {
        continue
      }
      counts[id] = count
    }
    return counts
  }
}
