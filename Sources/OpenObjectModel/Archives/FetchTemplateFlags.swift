/// The choices of a fetch request that archives keep in one word.
///
/// Only the word of the usual choices, 30, was ever seen in a file; which bit means what follows from the
/// order in which the framework declares them.
struct FetchTemplateFlags {
  static let usual = 30

  /// The word of a template.
  static func word(of template: FetchTemplate) -> Int {
    let bits: [(Bool, Int)] = [
      (template.returnsDistinctResults, 1), (template.includesSubentities, 2),
      (template.includesPropertyValues, 4), (template.returnsObjectsAsFaults, 8),
      (template.includesPendingChanges, 16),
    ]
    return bits.reduce(0) { $1.0 ? $0 | $1.1 : $0 }
  }

  /// Makes a template's choices those of a word.
  static func apply(_ word: Int, to template: inout FetchTemplate) {
    template.returnsDistinctResults = word & 1 != 0
    template.includesSubentities = word & 2 != 0
    template.includesPropertyValues = word & 4 != 0
    template.returnsObjectsAsFaults = word & 8 != 0
    template.includesPendingChanges = word & 16 != 0
  }
}
