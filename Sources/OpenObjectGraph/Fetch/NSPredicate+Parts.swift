internal import Foundation
internal import OpenPredicates

extension NSPredicate {
  /// The predicates that have to hold together; the predicate itself unless it is an AND.
  var conjuncts: [NSPredicate] {
    if let compound = self as? NSCompoundPredicate, compound.compoundPredicateType == .and {
      return compound.subpredicates.flatMap(\.conjuncts)
    }
    guard case .template(let template, let arguments, let variables) = form,
      let parts = ConjunctTemplates.parts(of: template)
    else { return [self] }
    return parts.map { NSPredicate.from($0, arguments: arguments, variables: variables) }
  }

  /// One predicate for all; nil for none.
  static func all(_ parts: [NSPredicate]) -> NSPredicate? {
    parts.count > 1 ? NSCompoundPredicate(andPredicateWithSubpredicates: parts) : parts.first
  }
}
