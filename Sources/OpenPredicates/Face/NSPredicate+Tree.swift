package import Foundation

extension NSPredicate {
  /// A predicate of a tree without places for arguments; its ``form`` gives the tree back.
  ///
  /// - Parameter node: The tree.
  /// > Concurrency: Any thread.
  package static func from(_ node: PredicateNode) -> NSPredicate {
    FormatPredicate.make(PredicateTemplate(root: node), arguments: [])
  }

  /// A predicate of a template with values for its argument places and variables.
  package static func from(
    _ template: PredicateTemplate, arguments: [Any?], variables: [String: Any]
  ) -> NSPredicate {
    FormatPredicate.make(template, arguments: arguments, variables: variables)
  }
}
