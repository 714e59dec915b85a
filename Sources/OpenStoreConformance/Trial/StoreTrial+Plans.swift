import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// The fetch of a check, described by names.
struct Query {
  var entity: String
  var includesSubentities = true
  var filter: Filter?
  var bindings: [Value] = []
  var sort: [SortTerm] = []
  var limit: Int?
  var offset: Int?

  init(_ entity: String, _ filter: Filter? = nil, _ bindings: [Value] = []) {
    self.entity = entity
    self.filter = filter
    self.bindings = bindings
  }
}

extension StoreTrial {
  func plan(_ query: Query) throws -> FetchPlan {
    let shape = FetchShape(
      entity: try schema.entity(query.entity), includesSubentities: query.includesSubentities,
      filter: query.filter, sort: query.sort, hasLimit: query.limit != nil,
      hasOffset: query.offset != nil)
    return FetchPlan(
      shape: shape, bindings: query.bindings, limit: query.limit ?? 0, offset: query.offset ?? 0)
  }

  /// Returns the rows that a query selects, and requires that rows, keys and count agree.
  func rows(_ query: Query) throws -> [Row] {
    let plan = try plan(query)
    var rows: [Row] = []
    try store.forEachChunk(matching: plan) { chunk in
      chunk.forEachRow { rows.append($0) }
    }
    let ids = rows.map { ObjectKey(entityIndex: $0.entityIndex, key: $0.key) }
    let keys = try store.keys(matching: plan)
    if query.sort.isEmpty {
      try expect(Set(keys), equals: Set(ids), "Keys and rows of the same plan")
    } else {
      try expect(keys, equals: ids, "Keys and rows of the same plan, in order")
    }
    try expect(
      try store.count(matching: plan), equals: ids.count, "Count and rows of the same plan")
    return rows
  }

  /// Returns a string attribute of the rows that a query selects.
  func texts(_ name: String, _ query: Query) throws -> [String] {
    try rows(query).map { row in
      guard case .string(let text) = try value(name, of: row) else { return "nil" }
      return text
    }
  }

  /// Requires that a query selects the rows with the given names, in any order.
  func expectNames(_ query: Query, _ expected: [String], _ message: String) throws {
    try expect(try texts("name", query).sorted(), equals: expected.sorted(), message)
  }

  func operand(_ path: String) throws -> Operand { .property(try schema.path(path)) }

  func ascending(_ path: String, _ collation: SortTerm.Collation = .binary) throws -> SortTerm {
    SortTerm(path: try schema.path(path), isAscending: true, collation: collation)
  }

  func descending(_ path: String) throws -> SortTerm {
    SortTerm(path: try schema.path(path), isAscending: false)
  }

  /// Returns a filter that compares a path with a constant, which is bound at position 0.
  func compare(
    _ path: String, _ operation: ComparisonOperator, _ options: StringOptions = []
  ) throws -> Filter {
    .comparison(try operand(path), operation, .binding(0), options)
  }
}
