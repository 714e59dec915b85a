internal import OpenPredicates
internal import Synchronization

/// The parts of templates that are an AND, made once, so that plans of the parts are found again.
enum ConjunctTemplates {
  private static let known = Mutex<[UInt64: [PredicateTemplate]]>([:])
  private static let limit = 1024

  /// The parts of an AND; nil for other templates.
  static func parts(of template: PredicateTemplate) -> [PredicateTemplate]? {
    guard case .and(let nodes) = template.root, nodes.count > 1 else { return nil }
    return known.withLock { known in
      if let parts = known[template.identity] { return parts }
      if known.count >= limit { known.removeAll() }
      let parts = nodes.map {
        PredicateTemplate(root: $0, argumentCount: template.argumentCount)
      }
      known[template.identity] = parts
      return parts
    }
  }
}
