internal import Foundation

// An element for which a condition has no value is ignored, as in a subquery of a store. If the
// condition unwraps nil for an element, only another element can determine the result.

extension PredicateExpression<Bool> {
  /// Returns whether a condition is true; nil if it has no value.
  ///
  /// - Throws: ``UnboundVariable``; `PredicateError` if an unwrap or a cast in the condition fails.
  fileprivate func condition(_ bindings: PredicateBindings) throws -> Bool? {
    do {
      return try valueWithoutTraps(bindings)
    } catch let error as UnboundVariable {
      throw error
    } catch let error as PredicateError
      where error == .forceUnwrapFailure || error == .forceCastFailure
    {
      throw error
    } catch {
      return nil  // An overflow, a division by zero and the like.
    }
  }
}

extension Sequence {
  /// Returns whether a condition has the given result for at least one element.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - condition: The condition; nil if it has no value for an element.
  /// - Throws: The `PredicateError` of the condition for an element, unless the condition has the
  ///   result for another element.
  fileprivate func hasResult(
    _ result: Bool, of condition: (Element) throws -> Bool?
  ) throws -> Bool {
    var failure: PredicateError?
    for element in self {
      do {
        if try condition(element) == result { return true }
      } catch let error as PredicateError {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return false
  }
}

extension PredicateExpressions.SequenceContains: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Bool {
    let elements = try sequence.valueWithoutTraps(bindings)
    return elements.contains(try element.valueWithoutTraps(bindings))
  }
}

extension PredicateExpressions.SequenceContainsWhere: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Bool {
    try sequence.valueWithoutTraps(bindings).hasResult(true) {
      try test.condition(bindings.binding(variable, to: $0))
    }
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Bool {
    let fails = try sequence.valueWithoutTraps(bindings).hasResult(false) {
      try test.condition(bindings.binding(variable, to: $0))
    }
    return !fails
  }
}

extension PredicateExpressions.Filter: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    try sequence.valueWithoutTraps(bindings).filter { element in
      do {
        return try filter.condition(bindings.binding(variable, to: element)) ?? false
      } catch is PredicateError {
        return false
      }
    }
  }
}

extension PredicateExpressions.SequenceStartsWith: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Bool {
    let elements = try base.valueWithoutTraps(bindings)
    return elements.starts(with: try prefix.valueWithoutTraps(bindings))
  }
}

extension PredicateExpressions.SequenceMaximum: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    try elements.valueWithoutTraps(bindings).max()
  }
}

extension PredicateExpressions.SequenceMinimum: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    try elements.valueWithoutTraps(bindings).min()
  }
}

extension PredicateExpressions.RangeExpressionContains: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Bool {
    let bounds = try range.valueWithoutTraps(bindings)
    return bounds.contains(try element.valueWithoutTraps(bindings))
  }
}

extension PredicateExpressions.CollectionContainsCollection: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Bool {
    let elements = try base.valueWithoutTraps(bindings)
    return elements.contains(try other.valueWithoutTraps(bindings))
  }
}

extension PredicateExpressions.CollectionIndexSubscript: TrapFreeExpression, UncheckedExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    let elements = try wrapped.valueWithoutTraps(bindings)
    let place = try index.valueWithoutTraps(bindings)
    guard place >= elements.startIndex, place < elements.endIndex else {
      throw PredicateError.invalidInput
    }
    return elements[place]
  }
}

extension PredicateExpressions.CollectionRangeSubscript: TrapFreeExpression, UncheckedExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    let elements = try wrapped.valueWithoutTraps(bindings)
    let places = try range.valueWithoutTraps(bindings)
    guard places.lowerBound >= elements.startIndex, places.upperBound <= elements.endIndex else {
      throw PredicateError.invalidInput
    }
    return elements[places]
  }
}

extension PredicateExpressions.DictionaryKeySubscript: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    let dictionary = try wrapped.valueWithoutTraps(bindings)
    return dictionary[try key.valueWithoutTraps(bindings)]
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Output {
    let dictionary = try wrapped.valueWithoutTraps(bindings)
    if let value = dictionary[try key.valueWithoutTraps(bindings)] { return value }
    return try `default`.valueWithoutTraps(bindings)
  }
}

extension PredicateExpressions.StringContainsRegex: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Bool {
    let text = try subject.valueWithoutTraps(bindings)
    return text.contains(try regex.valueWithoutTraps(bindings))
  }
}

extension PredicateExpressions.StringLocalizedStandardContains: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> Bool {
    let text = String(try root.valueWithoutTraps(bindings))
    return StringMatch.contains(
      text, String(try other.valueWithoutTraps(bindings)), .localizedStandard)
  }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> ComparisonResult {
    let text = String(try root.valueWithoutTraps(bindings))
    return StringMatch.compare(
      text, String(try other.valueWithoutTraps(bindings)), .caseInsensitive)
  }
}

extension PredicateExpressions.StringLocalizedCompare: TrapFreeExpression {
  func trapFreeValue(_ bindings: PredicateBindings) throws -> ComparisonResult {
    let text = String(try root.valueWithoutTraps(bindings))
    return StringMatch.compare(
      text, String(try other.valueWithoutTraps(bindings)), .localeSensitive)
  }
}
