internal import Foundation
internal import OpenPredicates

extension NSPredicate {
  /// The predicates that must all be true; the predicate itself unless it is an AND.
  var conjuncts: [NSPredicate] {
    if let translated = self as? TranslatedPredicate {
      let parts = translated.parts
      return parts.isEmpty ? [self] : parts
    }
    guard let compound = self as? NSCompoundPredicate, compound.compoundPredicateType == .and
    else { return [self] }
    return compound.subpredicates.flatMap(\.conjuncts)
  }

  /// Returns one predicate that requires all parts; nil if there are none.
  static func all(_ parts: [NSPredicate]) -> NSPredicate? {
    parts.count > 1 ? NSCompoundPredicate(andPredicateWithSubpredicates: parts) : parts.first
  }
}
