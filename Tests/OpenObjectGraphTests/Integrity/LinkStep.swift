/// One step of a history of references: an action of one context.
///
/// As text, steps are `a: insert LinkItem 10`, `b: delete LinkItem 3`, `c: 3.next = 4`, `a: 3.text = 10, 3.next = nil`,
/// `b: 0.tags + 4`, `b: 0.tags = [4,5]`, `a: process`, `c: rollback` and `a: save`; objects are named by their codes.
struct LinkStep: CustomStringConvertible {
  enum Action {
    case insert(entity: String, code: Int)
    case delete(entity: String, code: Int)
    /// Sets a to-one relationship, after setting another text if there is one.
    case setOne(source: Int, name: String, destination: Int?, text: Int?)
    case add(source: Int, name: String, member: Int)
    case setMany(source: Int, name: String, members: [Int])
    case process
    case rollback
    case save
  }

  /// Number of the context.
  let context: Int
  let action: Action

  private static let contexts = ["a", "b", "c"]

  init(context: Int, _ action: Action) {
    self.context = context
    self.action = action
  }

  /// Parses steps separated by semicolons; returns nil for invalid text.
  static func steps(_ text: String) -> [LinkStep]? {
    let steps = text.split(separator: ";").map {
      LinkStep($0.split(whereSeparator: \.isWhitespace).map(String.init))
    }
    return steps.contains { $0 == nil } ? nil : steps.compactMap { $0 }
  }

  private init?(_ words: [String]) {
    guard let first = words.first,
      let context = Self.contexts.firstIndex(of: String(first.dropLast())),
      let action = Self.action(Array(words.dropFirst()))
    else { return nil }
    self.init(context: context, action)
  }

  private static func action(_ words: [String]) -> Action? {
    switch (words.count, words.first) {
    case (1, "process"): return .process
    case (1, "rollback"): return .rollback
    case (1, "save"): return .save
    case (3, "insert"): return Int(words[2]).map { .insert(entity: words[1], code: $0) }
    case (3, "delete"): return Int(words[2]).map { .delete(entity: words[1], code: $0) }
    case (3, _), (6, _): return assignment(words)
    default: return nil
    }
  }

  private static func assignment(_ words: [String]) -> Action? {
    let text = words.count == 6 ? Int(words[2].dropLast()) : nil
    let words = words.suffix(3).map { $0 }
    let place = words[0].split(separator: ".").map(String.init)
    guard place.count == 2, let source = Int(place[0]) else { return nil }
    if words[1] == "+" {
      return Int(words[2]).map { .add(source: source, name: place[1], member: $0) }
    }
    if words[2].hasPrefix("[") {
      let members = words[2].split { "[,]".contains($0) }.compactMap { Int($0) }
      return .setMany(source: source, name: place[1], members: members)
    }
    return .setOne(source: source, name: place[1], destination: Int(words[2]), text: text)
  }

  var description: String { "\(Self.contexts[context]): \(actionDescription)" }

  private var actionDescription: String {
    switch action {
    case .insert(let entity, let code): return "insert \(entity) \(code)"
    case .delete(let entity, let code): return "delete \(entity) \(code)"
    case .setOne(let source, let name, let destination, let text):
      let setting = text.map { "\(source).text = \($0), " } ?? ""
      return "\(setting)\(source).\(name) = \(destination.map { "\($0)" } ?? "nil")"
    case .add(let source, let name, let member): return "\(source).\(name) + \(member)"
    case .setMany(let source, let name, let members):
      return "\(source).\(name) = [\(members.map { "\($0)" }.joined(separator: ","))]"
    case .process: return "process"
    case .rollback: return "rollback"
    case .save: return "save"
    }
  }
}
