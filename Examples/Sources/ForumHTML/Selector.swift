/// A parsed CSS selector: groups of compounds joined by combinators.
///
/// A value, made by `SelectorParser` and kept by `SelectorCache`.
struct Selector: Sendable {
  /// One test of one element.
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

  /// How an attribute's value is compared.
  enum Comparison: Sendable {
    case exists
    case equals(String)
    case contains(String)
    case begins(String)
    case ends(String)
    case includesWord(String)
  }

  /// How a compound stands to the one at its left.
  enum Combinator: Sendable {
    case descendant
    case child
    case nextSibling
  }

  /// Tests that one element must all pass.
  struct Compound: Sendable {
    let tests: [Test]
    /// How this compound stands to the one before it; without meaning for the first.
    let combinator: Combinator
  }

  /// The alternatives between commas, each from left to right.
  let groups: [[Compound]]
}
