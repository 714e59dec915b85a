internal import Foundation
internal import OpenPredicates

extension NSPredicate {
  /// The predicates that have to hold together; the predicate itself unless it is an AND.
  var conjuncts: [NSPredicate] {
    if let translated = self as? TranslatedPredicate {
      let parts = translated.parts
      return parts.isEmpty ? [self] : parts
    }
    guard let compound = self as? NSCompoundPredicate, compound.compoundPredicateType == .and
    else { return [self] }
    return compound.subpredicates.flatMap(\.conjuncts)
  }

  /// One predicate for all; nil for none.
  static func all(_ parts: [NSPredicate]) -> NSPredicate? {
    parts.count > 1 ? NSCompoundPredicate(andPredicateWithSubpredicates: parts) : parts.first
  }
}
