public import CoreData

/// Objects grouped by properties, counted with one statement; what is not saved does not count.
public struct GroupedCounts {
  /// Values of the properties with the number of objects that have them, and the sums of numbers.
  public struct Row {
    /// The values; for a relationship, the id of the object that it leads to.
    public let keys: [Any?]
    /// The value of the first property.
    public var key: Any? { keys.first ?? nil }
    /// The number of objects.
    public let count: Int
    /// The sums by the names of the properties.
    public let sums: [String: Double]
  }

  /// The groups, those without any object left out.
  public let rows: [Row]

  /// Groups objects of an entity by one property.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - key: The property; nil for one group of all.
  ///   - predicate: Which objects; nil for all.
  ///   - leastCount: How many objects a group has at least; smaller ones are left out by the store.
  ///   - summed: The numbers that are added up.
  ///   - context: Where to read; call on its queue.
  /// - Throws: What the fetch throws.
  public init(
    of entity: String, by key: String?, where predicate: NSPredicate? = nil,
    atLeast leastCount: Int = 1, summing summed: [String] = [], in context: NSManagedObjectContext
  ) throws {
    try self.init(
      of: entity, by: key.map { [$0] } ?? [], where: predicate, atLeast: leastCount,
      summing: summed, in: context)
  }

  /// Groups objects of an entity by several properties.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - keys: The properties, also those of objects that relationships to one lead to; none for one group of all.
  ///   - predicate: Which objects; nil for all.
  ///   - leastCount: How many objects a group has at least; smaller ones are left out by the store.
  ///   - summed: The numbers that are added up.
  ///   - context: Where to read; call on its queue.
  /// - Throws: What the fetch throws.
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

  /// The numbers by the objects that a relationship leads to.
  public func byObject() -> [NSManagedObjectID: Int] {
    let pairs = rows.compactMap { row in (row.key as? NSManagedObjectID).map { ($0, row.count) } }
    return Dictionary(pairs) { $0 + $1 }
  }
}
