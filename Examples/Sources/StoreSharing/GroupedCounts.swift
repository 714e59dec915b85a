public import CoreData

/// The number of objects by group, counted with one statement. Unsaved changes are not counted.
public struct GroupedCounts {
  /// A group: the values of its properties, the number of objects, and the sums.
  public struct Row {
    /// The values; for a relationship, the id of the destination object.
    public let keys: [Any?]
    /// The value of the first property.
    public var key: Any? { keys.first ?? nil }
    /// The number of objects.
    public let count: Int
    /// The sums by the names of the properties.
    public let sums: [String: Double]
  }

  /// The groups; groups without objects are omitted.
  public let rows: [Row]

  /// Groups the objects of an entity by one property.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - key: The property; nil for one group of all objects.
  ///   - predicate: The predicate for the objects; nil for all.
  ///   - leastCount: The minimum number of objects in a group; the store omits smaller groups.
  ///   - summed: The numeric properties to add up.
  ///   - context: The context to fetch with; call on its queue.
  /// - Throws: The error of the fetch.
  public init(
    of entity: String, by key: String?, where predicate: NSPredicate? = nil,
    atLeast leastCount: Int = 1, summing summed: [String] = [], in context: NSManagedObjectContext
  ) throws {
    try self.init(
      of: entity, by: key.map { [$0] } ?? [], where: predicate, atLeast: leastCount,
      summing: summed, in: context)
  }

  /// Groups the objects of an entity by several properties.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - keys: The properties, including properties of the destinations of to-one relationships; empty for one group of all objects.
  ///   - predicate: The predicate for the objects; nil for all.
  ///   - leastCount: The minimum number of objects in a group; the store omits smaller groups.
  ///   - summed: The numeric properties to add up.
  ///   - context: The context to fetch with; call on its queue.
  /// - Throws: The error of the fetch.
  public init(
    of entity: String, by keys: [String], where predicate: NSPredicate? = nil,
    atLeast leastCount: Int = 1, summing summed: [String] = [], in context: NSManagedObjectContext
  ) throws {
    let request = NSFetchRequest<NSDictionary>(entityName: entity)
    request.predicate = predicate
    request.resultType = .dictionaryResultType
    var columns: [Any] = [
      Self.column(
        "groupCount", "count:", NSExpression.expressionForEvaluatedObject(),
        .integer64AttributeType)
    ]
    for name in summed {
      columns.append(
        Self.column("sum_\(name)", "sum:", NSExpression(forKeyPath: name), .doubleAttributeType))
    }
    if !keys.isEmpty {
      columns += keys
      request.propertiesToGroupBy = keys
    }
    request.propertiesToFetch = columns
    if leastCount > 1 {
      request.havingPredicate = NSPredicate(format: "groupCount >= %d", leastCount)
    }
    rows = try context.fetch(request).map { row in
      let values = keys.map { row[$0] is NSNull ? nil : row[$0] }
      let sums = summed.map { ($0, (row["sum_\($0)"] as? NSNumber)?.doubleValue ?? 0) }
      return Row(
        keys: values, count: (row["groupCount"] as? NSNumber)?.intValue ?? 0,
        sums: Dictionary(uniqueKeysWithValues: sums))
    }
  }

  private static func column(
    _ name: String, _ function: String, _ argument: NSExpression, _ type: NSAttributeType
  ) -> NSExpressionDescription {
    let column = NSExpressionDescription()
    column.name = name
    column.expression = NSExpression(forFunction: function, arguments: [argument])
    column.expressionResultType = type
    return column
  }

  /// Returns the counts by the destination objects of a relationship.
  public func byObject() -> [NSManagedObjectID: Int] {
    let pairs = rows.compactMap { row in (row.key as? NSManagedObjectID).map { ($0, row.count) } }
    return Dictionary(pairs) { $0 + $1 }
  }
}
