import Foundation
import Synchronization

/// The predicate of a format whose outermost operator is AND, OR or NOT.
///
/// The predicate is immutable, and confined to one thread or queue like its arguments. The
/// predicate is evaluated as a whole; the predicates of its parts are created on request.
final class FormatCompoundPredicate: NSCompoundPredicate {
  let content: FormatContent

  init(
    _ type: LogicalType, _ template: PredicateTemplate, arguments: [Any?],
    variables: [String: Any]
  ) {
    content = FormatContent(.template(template), arguments: arguments, variables: variables)
    // Foundation rejects a NOT without a part.
    super.init(type: type, subpredicates: type == .not ? [NSPredicate(value: false)] : [])
  }

  /// The predicates of the parts; they cannot be set, as on Apple platforms.
  override var subpredicates: [NSPredicate] {
    get {
      guard case .template(let template, let arguments, let variables) = content.form else {
        return []
      }
      return TemplateParts.parts(of: template).map { part in
        FormatPredicate.make(
          part.template,
          arguments: part.places.map { arguments.indices.contains($0) ? arguments[$0] : nil },
          variables: variables)
      }
    }
    set {}
  }

  override func evaluate(
    with object: Any?, substitutionVariables bindings: [String: Any]?
  ) -> Bool {
    content.holds(for: object, bindings)
  }

  override var predicateFormat: String { canonicalFormat }

  override var description: String { canonicalFormat }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPredicate).map(hasSameMeaning) ?? false
  }

  override var hash: Int { form.comparableNode?.hashValue ?? 0 }
}

/// The templates of parts of other templates, so that equal parts share their plans.
///
/// The templates are in a `Mutex`. When the limit is reached, all are removed.
enum TemplateParts {
  /// A part, and the numbers of its arguments in the whole predicate.
  struct Part {
    let template: PredicateTemplate
    let places: [Int]
  }

  private static let limit = 512
  private static let known = Mutex<[UInt64: [Part]]>([:])

  static func parts(of template: PredicateTemplate) -> [Part] {
    if let parts = known.withLock({ $0[template.identity] }) { return parts }
    let made = nodes(of: template.root).map(part)
    return known.withLock { known in
      if let earlier = known[template.identity] { return earlier }
      if known.count >= limit { known.removeAll(keepingCapacity: true) }
      known[template.identity] = made
      return made
    }
  }

  private static func nodes(of root: PredicateNode) -> [PredicateNode] {
    switch root {
    case .and(let parts), .or(let parts): parts
    case .not(let part): [part]
    case .constant, .comparison: []
    }
  }

  private static func part(_ node: PredicateNode) -> Part {
    var places: [Int] = []
    let root = node.mapping { leaf, _ in
      guard case .argument(let number) = leaf else { return leaf }
      if let place = places.firstIndex(of: number) { return .argument(place) }
      places.append(number)
      return .argument(places.count - 1)
    }
    return Part(
      template: SharedTemplates.template(of: root, argumentCount: places.count), places: places)
  }
}
