internal import OpenObjectModel
internal import OpenStoreContract

extension FetchShape {
  /// The root entities whose object keys affect which rows are fetched, or their order.
  ///
  /// The value is nil if derived values or other rows also have such an effect.
  var keyRoots: Set<Int>? {
    var roots: Set<Int> = []
    let model = entity.model
    func take(_ operand: Operand) -> Bool {
      switch operand {
      case .binding: return true
      case .property(let path):
        guard let property = path.property(in: model) else {
          roots.insert(path.reachedEntity(in: model).rootIndex)
          return true
        }
        if let relationship = property.relationship {
          roots.insert(model.entities[relationship.destinationIndex].rootIndex)
        }
        return property.attribute?.derivation == nil
      case .entityNumber, .count, .aggregate, .function, .conditional, .total, .rowCount, .column:
        return false
      }
    }
    guard sort.allSatisfy({ take($0.operand) }), filter?.allOperands(take) ?? true else {
      return nil
    }
    return roots
  }
}

extension Filter {
  /// Returns whether the filter consists of comparisons whose operands all satisfy a condition.
  fileprivate func allOperands(_ condition: (Operand) -> Bool) -> Bool {
    switch self {
    case .constant: true
    case .and(let parts), .or(let parts): parts.allSatisfy { $0.allOperands(condition) }
    case .not(let part), .isTrue(let part): part.allOperands(condition)
    case .comparison(let left, _, let right, _): condition(left) && condition(right)
    case .isNull(let operand), .isMember(let operand, _, _): condition(operand)
    case .isBetween(let operand, let lower, let upper):
      condition(operand) && condition(lower) && condition(upper)
    case .containsWords(let path, _, _): path.steps.isEmpty
    case .exists, .isKind: false
    }
  }
}
