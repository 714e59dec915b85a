import OpenPredicates
package import OpenStoreContract

extension Filter {
  /// Positions of the lists that the filter refers to, ascending, each once.
  package var listPositions: [Int] {
    var positions: Set<Int> = []
    collectLists(into: &positions)
    return positions.sorted()
  }

  private func collectLists(into positions: inout Set<Int>) {
    switch self {
    case .isMember(_, let list, _): positions.insert(list)
    case .and(let parts), .or(let parts):
      for part in parts { part.collectLists(into: &positions) }
    case .not(let part), .exists(_, let part): part.collectLists(into: &positions)
    case .constant, .comparison, .isNull, .isBetween: break
    }
  }
}
