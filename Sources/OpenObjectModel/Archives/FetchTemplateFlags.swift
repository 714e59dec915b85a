/// The flags of a fetch request, which archives store in one integer.
///
/// Files contain only the integer for the default flags, 30. The meaning of each bit is derived
/// from the order in which the framework declares the flags.
struct FetchTemplateFlags {
  static let usual = 30

  /// Returns the integer with the flags of a template.
  static func word(of template: FetchTemplate) -> Int {
    let bits: [(Bool, Int)] = [
      (template.returnsDistinctResults, 1), (template.includesSubentities, 2),
      (template.includesPropertyValues, 4), (template.returnsObjectsAsFaults, 8),
      (template.includesPendingChanges, 16),
    ]
    return bits.reduce(0) { $1.0 ? $0 | $1.1 : $0 }
  }

  /// Sets the flags of a template from an integer.
  static func apply(_ word: Int, to template: inout FetchTemplate) {
    template.returnsDistinctResults = word & 1 != 0
    template.includesSubentities = word & 2 != 0
    template.includesPropertyValues = word & 4 != 0
    template.returnsObjectsAsFaults = word & 8 != 0
    template.includesPendingChanges = word & 16 != 0
  }
}
