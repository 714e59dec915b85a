extension ExpressionNode {
  /// Subtracts one from the limit for each node; stops at zero.
  func count(_ room: inout Int) {
    room -= 1
    guard room > 0 else { return }
    switch self {
    case .constant, .argument, .evaluatedObject, .keyPath, .variable, .anyKey: break
    case .path(let base, _), .first(let base), .last(let base), .size(let base),
      .cast(let base, _), .assignment(_, let base):
      base.count(&room)
    case .aggregate(let nodes), .function(_, let nodes): Self.count(nodes, &room)
    case .subquery(let collection, _, let filter):
      collection.count(&room)
      filter.count(&room)
    case .setOperation(_, let left, let right), .index(let left, let right):
      Self.count([left, right], &room)
    case .conditional(let condition, let first, let second):
      condition.count(&room)
      Self.count([first, second], &room)
    case .fetch(let request, let context, let countOnly):
      Self.count([request, context, countOnly], &room)
    }
  }

  private static func count(_ nodes: [ExpressionNode], _ room: inout Int) {
    for node in nodes where room > 0 { node.count(&room) }
  }
}

extension PredicateNode {
  /// Subtracts one from the limit for each node; stops at zero.
  func count(_ room: inout Int) {
    room -= 1
    guard room > 0 else { return }
    switch self {
    case .constant: break
    case .not(let part): part.count(&room)
    case .and(let parts), .or(let parts):
      for part in parts where room > 0 { part.count(&room) }
    case .comparison(let node):
      node.left.count(&room)
      node.right.count(&room)
    }
  }
}
