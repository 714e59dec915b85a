import Foundation

/// Reads and writes the rule trees of smart playlists as JSON objects.
struct RuleReader {
  typealias Node = LibraryQuery.Node

  private static let deepest = 32

  func rules(_ object: Any) throws -> SmartRules {
    guard let fields = object as? [String: Any] else {
      throw bad("The rules are not a JSON object.")
    }
    let known: Set = ["rule", "sort", "order", "limit"]
    if let other = fields.keys.sorted().first(where: { !known.contains($0) }) {
      throw bad("The rules contain the unknown field “\(other)”.")
    }
    guard let rule = fields["rule"] else {
      throw bad("The rules do not contain the required field “rule”.")
    }
    var rules = SmartRules(try query(try node(rule, depth: 0)))
    if let sort = fields["sort"] {
      guard let order = (sort as? String).flatMap(TrackOrder.init(rawValue:)) else {
        let names = TrackOrder.allCases.map(\.rawValue).joined(separator: ", ")
        throw bad("The value of “sort” must be one of the following: \(names).")
      }
      rules.sort = order
    }
    if let order = fields["order"] {
      guard let text = order as? String, ["ascending", "descending"].contains(text) else {
        throw bad("The value of “order” must be “ascending” or “descending”.")
      }
      rules.isAscending = text == "ascending"
    }
    if let limit = fields["limit"] {
      guard let number = integer(limit), (1...1_000_000).contains(number) else {
        throw bad("The value of “limit” must be a whole number from 1 to 1000000.")
      }
      rules.limit = number
    }
    return rules
  }

  private func query(_ node: Node) throws -> LibraryQuery {
    do throws(LibraryQueryError) {
      return try LibraryQuery(node)
    } catch {
      throw bad("The rules cannot be written as a query. \(error.message)")
    }
  }

  private func node(_ object: Any, depth: Int) throws -> Node {
    guard depth < Self.deepest else { throw bad("The rules are nested too deeply.") }
    guard let fields = object as? [String: Any], fields.count == 1,
      let (kind, value) = fields.first
    else { throw bad("A rule must be an object with one field, such as {\"flag\": \"loved\"}.") }
    switch kind {
    case "all", "any":
      let nodes = try nodes(value, depth)
      // The parser of queries returns a single condition without a list.
      return nodes.count == 1 ? nodes[0] : kind == "all" ? .all(nodes) : .any(nodes)
    case "not": return .not(try node(value, depth: depth + 1))
    case "words":
      guard let text = value as? String, !text.isEmpty else {
        throw bad("The value of “words” must be a nonempty string.")
      }
      return .words(text)
    case "is", "contains":
      let (field, text): (LibraryQuery.TextField, Any) = try pair(value, kind)
      guard let text = text as? String, !text.isEmpty else {
        throw bad("The value of “\(kind)” for “\(field.rawValue)” must be a nonempty string.")
      }
      return kind == "is" ? .equals(field, text) : .contains(field, text)
    case "inRange":
      let (field, bounds): (LibraryQuery.NumberField, Any) = try pair(value, kind)
      return .range(field, try range(bounds, field))
    case "inTheLast":
      let (field, days): (LibraryQuery.DateField, Any) = try pair(value, kind)
      return .inTheLast(field, days: try self.days(days))
    case "notPlayedInTheLast": return .notPlayed(days: try days(value))
    case "flag":
      guard let flag = (value as? String).flatMap(LibraryQuery.Flag.init(rawValue:)) else {
        let names = LibraryQuery.Flag.allCases.map(\.rawValue).joined(separator: ", ")
        throw bad("The value of “flag” must be one of the following: \(names).")
      }
      return .flag(flag)
    default: throw bad("There is no rule named “\(kind.prefix(40))”.")
    }
  }

  private func nodes(_ value: Any, _ depth: Int) throws -> [Node] {
    guard let values = value as? [Any] else {
      throw bad("The value of “all” or “any” must be a list of rules.")
    }
    guard values.count <= QueryParser.mostTerms else {
      throw bad("A list contains too many rules.")
    }
    return try values.map { try node($0, depth: depth + 1) }
  }

  private func pair<Field: RawRepresentable & CaseIterable>(
    _ value: Any, _ kind: String
  ) throws -> (Field, Any) where Field.RawValue == String {
    guard let fields = value as? [String: Any], fields.count == 1, let (name, inner) = fields.first,
      let field = Field(rawValue: name)
    else {
      let names = Field.allCases.map(\.rawValue).joined(separator: ", ")
      throw bad(
        "The value of “\(kind)” must be an object with one of the following fields: \(names).")
    }
    return (field, inner)
  }

  private func range(
    _ value: Any, _ field: LibraryQuery.NumberField
  ) throws -> LibraryQuery.NumberRange {
    guard let bounds = value as? [Any], bounds.count == 2 else {
      throw bad(
        "The range of “\(field.rawValue)” must be a list of two numbers. For no bound, use null instead of a number."
      )
    }
    let numbers = try bounds.map { bound -> Int? in
      if bound is NSNull { return nil }
      guard let number = integer(bound), QueryParser.bounds.contains(number) else {
        throw bad("A bound of the range of “\(field.rawValue)” must be a whole number or null.")
      }
      return number
    }
    return .init(numbers[0], numbers[1])
  }

  private func days(_ value: Any) throws -> Int {
    guard let days = integer(value), QueryParser.periods.contains(days) else {
      throw bad("A period must be a whole number of days, at least 1.")
    }
    return days
  }

  /// Returns a whole number, or nil for Booleans and fractions.
  private func integer(_ value: Any) -> Int? {
    if value is Bool, !(value is Int) { return nil }
    guard let number = value as? NSNumber else { return nil }
    let double = number.doubleValue
    return double.magnitude < 1e15 && double == double.rounded() ? number.intValue : nil
  }

  private func bad(_ message: String) -> KanoraError { KanoraError(.badRules, message) }

  // MARK: Writing

  static func object(of node: Node) -> [String: Any] {
    switch node {
    case .all(let nodes): ["all": nodes.map(object)]
    case .any(let nodes): ["any": nodes.map(object)]
    case .not(let inner): ["not": object(of: inner)]
    case .words(let text): ["words": text]
    case .contains(let field, let text): ["contains": [field.rawValue: text]]
    case .equals(let field, let text): ["is": [field.rawValue: text]]
    case .range(let field, let range):
      ["inRange": [field.rawValue: [range.lower ?? NSNull(), range.upper ?? NSNull()] as [Any]]]
    case .inTheLast(let field, let days): ["inTheLast": [field.rawValue: days]]
    case .notPlayed(let days): ["notPlayedInTheLast": days]
    case .flag(let flag): ["flag": flag.rawValue]
    }
  }
}
