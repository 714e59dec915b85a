package import OpenPredicates
package import OpenStoreContract

extension FetchPlan {
  /// Returns the value that the plan binds to a parameter; null for a parameter that the caller of
  /// the statement binds.
  package func content(of parameter: SQLParameter) -> SlotContent {
    switch parameter {
    case .limit: .integer(Int64(limit))
    case .offset: .integer(Int64(offset))
    case .candidates: .integer(Int64(candidateLimit))
    case .taggedJSON(let list, let target):
      .text(ListForm.taggedJSON(of: binding(list), for: target))
    case .json(let list), .table(let list): .text(ListForm.json(of: binding(list)))
    case .prefixEnd(let position): TextRange.end(of: binding(position))
    case .value(let position, let target): target.content(of: binding(position))
    case .member(let list, let position, let target):
      Self.member(position, of: ListForm.members(of: binding(list)), target)
    case .words(let position, let columns):
      .text(Self.query(binding(position)).expression(columns: columns))
    case .relevance(let columns): .text((textQuery ?? "").expression(columns: columns))
    case .caller, .callerKeys, .numbered, .array: .null
    }
  }

  /// Returns the text query in a bound value; an empty query, which finds nothing, if the value is
  /// not a string.
  private static func query(_ value: Value) -> TextQuery {
    guard case .string(let text) = value else { return "" }
    return TextQuery.reading(text)
  }

  /// Returns the element of a list at an index, in the form in which a statement binds the element.
  ///
  /// - Parameters:
  ///   - position: The index. For an index beyond the end, the method returns the last element.
  ///   - members: The elements of the list. For an empty list, the method returns null.
  ///   - target: The operand that is compared with the element.
  package static func member(
    _ position: Int, of members: [Value], _ target: SQLTarget
  ) -> SlotContent {
    guard let last = members.last else { return .null }
    return target.content(of: position < members.count ? members[position] : last)
  }

  /// Returns the bound value at an index, or null if the plan has no value at this index.
  package func binding(_ position: Int) -> Value {
    bindings.indices.contains(position) ? bindings[position] : .null
  }
}
