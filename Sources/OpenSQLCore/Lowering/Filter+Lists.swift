package import OpenStoreContract

extension Filter {
  fileprivate func collectLists(into positions: inout Set<Int>) {
    switch self {
    case .isMember(let operand, let list, _):
      positions.insert(list)
      operand.collectLists(into: &positions)
    case .and(let parts), .or(let parts):
      for part in parts { part.collectLists(into: &positions) }
    case .not(let part), .isTrue(let part), .exists(_, let part):
      part.collectLists(into: &positions)
    case .isNull(let operand): operand.collectLists(into: &positions)
    case .comparison(let left, _, let right, _):
      for operand in [left, right] { operand.collectLists(into: &positions) }
    case .isBetween(let value, let lower, let upper):
      for operand in [value, lower, upper] { operand.collectLists(into: &positions) }
    case .constant, .isKind, .containsWords: break
    }
  }
}

extension Operand {
  fileprivate func collectLists(into positions: inout Set<Int>) {
    switch self {
    case .binding, .property, .entityNumber, .rowCount, .column: break
    case .count(_, let filter): filter?.collectLists(into: &positions)
    case .aggregate(_, _, let element, let filter):
      element.collectLists(into: &positions)
      filter?.collectLists(into: &positions)
    case .function(_, let operands):
      for operand in operands { operand.collectLists(into: &positions) }
    case .conditional(let filter, let first, let second):
      filter.collectLists(into: &positions)
      for operand in [first, second] { operand.collectLists(into: &positions) }
    case .total(_, let element, _): element.collectLists(into: &positions)
    }
  }
}

extension FetchShape {
  /// The lists to which the filter, the columns and the sort terms refer, each by its index in the
  /// bindings, ascending and without duplicates.
  package var listPositions: [Int] {
    var positions: Set<Int> = []
    filter?.collectLists(into: &positions)
    for term in sort { term.operand.collectLists(into: &positions) }
    if let projection {
      for column in projection.columns { column.operand.collectLists(into: &positions) }
      for group in projection.groups { group.collectLists(into: &positions) }
      projection.condition?.collectLists(into: &positions)
    }
    return positions.sorted()
  }
}

/// The list and the attribute of a fetch shape whose filter selects the rows with one of several
/// values of the attribute.
package struct ListLookUp: Sendable {
  /// The index of the list in the bindings.
  package let list: Int
  /// The ordinal of the attribute.
  package let ordinal: Int
}

extension FetchShape {
  /// The list and the attribute of the filter, if an index can find the rows for each element of
  /// the list separately; nil for any other filter and for a projection. The value is also nil for
  /// a fetch with a limit, because another query plan may be faster for such a fetch.
  package var lookUp: ListLookUp? {
    guard case .isMember(.property(let path), let list, let options)? = filter,
      case .property(let ordinal) = path.end, path.steps.isEmpty, path.level == 0,
      options.isEmpty, !hasLimit, projection == nil
    else { return nil }
    return ListLookUp(list: list, ordinal: ordinal)
  }
}
