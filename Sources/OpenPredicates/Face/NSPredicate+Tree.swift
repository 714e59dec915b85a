package import Foundation

extension NSPredicate {
  /// Returns a predicate for a tree without argument placeholders; its ``form`` contains the tree.
  ///
  /// - Parameter node: The tree.
  /// > Concurrency: Usable on any thread.
  package static func from(_ node: PredicateNode) -> NSPredicate {
    FormatPredicate.make(PredicateTemplate(root: node), arguments: [])
  }

  /// Returns a predicate for a template.
  ///
  /// - Parameters:
  ///   - template: The template.
  ///   - arguments: The values for the argument placeholders of the template.
  ///   - variables: The values of the template's variables, by name.
  package static func from(
    _ template: PredicateTemplate, arguments: [Any?], variables: [String: Any]
  ) -> NSPredicate {
    FormatPredicate.make(template, arguments: arguments, variables: variables)
  }
}
