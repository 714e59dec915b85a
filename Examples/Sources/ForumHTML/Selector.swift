/// A parsed CSS selector: groups of compounds joined by combinators.
///
/// A value, created by `SelectorParser` and cached by `SelectorCache`.
struct Selector: Sendable {
  /// A single condition on an element.
  enum Test: Sendable {
    case any
    case name(String)
    case identifier(String)
    case className(String)
    case attribute(String, Comparison)
    case placeAmongSameName(Int)
    case disabled
    indirect case not(Test)
  }

  /// A comparison with the value of an attribute.
  enum Comparison: Sendable {
    case exists
    case equals(String)
    case contains(String)
    case begins(String)
    case ends(String)
    case includesWord(String)
  }

  /// The relation of a compound to the preceding compound.
  enum Combinator: Sendable {
    case descendant
    case child
    case nextSibling
  }

  /// Conditions that one element must all satisfy.
  struct Compound: Sendable {
    let tests: [Test]
    /// The relation to the preceding compound; without meaning for the first compound.
    let combinator: Combinator
  }

  /// The comma-separated alternatives, each with its compounds from left to right.
  let groups: [[Compound]]
}
