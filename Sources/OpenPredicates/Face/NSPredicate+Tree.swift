package import Foundation

extension NSPredicate {
  /// A predicate of a tree without places for arguments; its ``form`` gives the tree back.
  ///
  /// - Parameter node: The tree.
  /// > Concurrency: Any thread.
  package static func from(_ node: PredicateNode) -> NSPredicate {
    FormatPredicate(PredicateTemplate(root: node), arguments: [])
  }
}
