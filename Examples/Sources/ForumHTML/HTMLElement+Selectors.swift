extension HTMLElement {
  private static let disableableNames: Set<String> = [
    "button", "fieldset", "input", "optgroup", "option", "select", "textarea",
  ]

  /// Returns the descendants that match a selector, in document order.
  ///
  /// - Parameter selector: A CSS selector.
  /// - Returns: The matching elements.
  /// - Throws: `PageError` with code `.malformedSelector` if the selector cannot be parsed.
  public func select(_ selector: String) throws(PageError) -> [HTMLElement] {
    let parsed = try SelectorCache.shared.selector(for: selector)
    return descendants.filter { $0.matches(parsed) }
  }

  /// Returns the first descendant that matches a selector.
  ///
  /// - Parameter selector: A CSS selector.
  /// - Returns: The element; nil if no descendant matches.
  /// - Throws: `PageError` with code `.malformedSelector` if the selector cannot be parsed.
  public func first(_ selector: String) throws(PageError) -> HTMLElement? {
    let parsed = try SelectorCache.shared.selector(for: selector)
    return descendants.first { $0.matches(parsed) }
  }

  /// Returns whether the element itself matches a selector.
  ///
  /// - Parameter selector: A CSS selector.
  /// - Returns: `true` if the element matches.
  /// - Throws: `PageError` with code `.malformedSelector` if the selector cannot be parsed.
  public func matches(_ selector: String) throws(PageError) -> Bool {
    matches(try SelectorCache.shared.selector(for: selector))
  }

  private func matches(_ selector: Selector) -> Bool {
    selector.groups.contains { matches($0[...]) }
  }

  /// Matches from right to left: this element against the last compound, its relatives against the rest.
  private func matches(_ compounds: ArraySlice<Selector.Compound>) -> Bool {
    guard let last = compounds.last else { return true }
    guard last.tests.allSatisfy(passes) else { return false }
    let rest = compounds.dropLast()
    if rest.isEmpty { return true }
    switch last.combinator {
    case .child: return parent?.matches(rest) ?? false
    case .nextSibling: return previousElement?.matches(rest) ?? false
    case .descendant:
      var ancestor = parent
      while let element = ancestor {
        if element.matches(rest) { return true }
        ancestor = element.parent
      }
      return false
    }
  }

  private func passes(_ test: Selector.Test) -> Bool {
    switch test {
    case .any: true
    case .name(let wanted): name == wanted
    case .identifier(let wanted): self["id"] == wanted
    case .className(let wanted): hasClass(wanted)
    case .attribute(let attribute, let comparison): passes(comparison, of: self[attribute])
    case .placeAmongSameName(let place): placeAmongSameName == place
    case .disabled: Self.disableableNames.contains(name) && self["disabled"] != nil
    case .not(let inner): !passes(inner)
    }
  }

  private func passes(_ comparison: Selector.Comparison, of value: String?) -> Bool {
    guard let value else { return false }
    return switch comparison {
    case .exists: true
    case .equals(let wanted): value == wanted
    case .contains(let wanted): !wanted.isEmpty && value.contains(wanted)
    case .begins(let wanted): !wanted.isEmpty && value.hasPrefix(wanted)
    case .ends(let wanted): !wanted.isEmpty && value.hasSuffix(wanted)
    case .includesWord(let wanted):
      value.split(whereSeparator: \.isWhitespace).contains { $0 == wanted }
    }
  }
}
