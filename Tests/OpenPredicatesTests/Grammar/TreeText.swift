import Foundation
import OpenPredicates

/// Writes trees in the compact notation of the grammar tables: an operator and its operands in
/// parentheses, keys joined by dots, `%0` for an argument, `{}` for an aggregate.
enum TreeText {
  static func text(_ node: PredicateNode) -> String {
    switch node {
    case .constant(let flag): flag ? "TRUE" : "FALSE"
    case .not(let inner): "(not \(text(inner)))"
    case .and(let parts): "(and\(parts.map { " " + text($0) }.joined()))"
    case .or(let parts): "(or\(parts.map { " " + text($0) }.joined()))"
    case .comparison(let node): text(node)
    }
  }

  private static func text(_ node: ComparisonNode) -> String {
    let modifier =
      switch node.modifier {
      case .direct: ""
      case .all: "all "
      case .any: "any "
      }
    let name = node.selector.map { "@" + $0 } ?? "\(symbol(node.operation))"
    return "(\(modifier)\(name)\(letters(node.options)) \(text(node.left)) \(text(node.right)))"
  }

  private static func symbol(_ operation: ComparisonOperator) -> String {
    switch operation {
    case .lessThan: "<"
    case .lessThanOrEqual: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqual: ">="
    case .equal: "="
    case .notEqual: "!="
    default: "\(operation)"
    }
  }

  private static func letters(_ options: StringOptions) -> String {
    let all: [(StringOptions, String)] = [
      (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"),
      (.localeSensitive, "l"),
    ]
    let letters = all.filter { options.contains($0.0) }.map(\.1).joined()
    return letters.isEmpty ? "" : "/" + letters
  }

  static func text(_ node: ExpressionNode) -> String {
    switch node {
    case .constant(let value): text(value)
    case .argument(let number): "%\(number)"
    case .evaluatedObject: "SELF"
    case .keyPath(let path): path.joined(separator: ".")
    case .path(let base, let path): list(".", [base], path.joined(separator: "."))
    case .variable(let name): "$" + name
    case .aggregate(let elements): "{\(elements.map(text).joined(separator: " "))}"
    case .function(let name, let operands): list(name, operands)
    case .subquery(let collection, let name, let filter):
      "(subquery \(text(collection)) $\(name) \(text(filter)))"
    case .setOperation(let operation, let left, let right): list("\(operation)", [left, right])
    case .index(let base, let index): list("index", [base, index])
    case .first(let base): list("first", [base])
    case .last(let base): list("last", [base])
    case .size(let base): list("size", [base])
    case .conditional(let condition, let first, let second):
      "(ternary \(text(condition)) \(text(first)) \(text(second)))"
    case .cast(let operand, let type): list("cast", [operand], type)
    case .anyKey: "ANYKEY"
    case .assignment(let name, let value): list(":= $" + name, [value])
    case .fetch(let request, let context, let countOnly):
      list("fetch", [request, context, countOnly])
    }
  }

  private static func list(
    _ name: String, _ operands: [ExpressionNode], _ last: String? = nil
  ) -> String {
    "(\(([name] + operands.map(text) + [last].compactMap { $0 }).joined(separator: " ")))"
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .null: "nil"
    case .bool(let flag): flag ? "YES" : "NO"
    case .int(let integer): "\(integer)"
    case .double(let real): "\(real)"
    case .date(let seconds): "(date \(seconds))"
    case .string(let text): quoted(text)
    case .data(let data): "(data \(data.count))"
    case .uuid(let uuid): "(uuid \(uuid.uuidString.prefix(4)))"
    case .decimal(let box): "(decimal \(box.decimal))"
    case .url(let url): "(url \(url.absoluteString))"
    case .object(let object): "(object \(object.entityToken) \(object.key))"
    case .list(let values): "[\(values.map(text).joined(separator: " "))]"
    }
  }

  /// The text in single quotes, with the numbers of characters that could not be seen in a table.
  private static func quoted(_ text: String) -> String {
    let body = text.unicodeScalars.map { scalar in
      scalar.value < 0x20 ? "<\(String(scalar.value, radix: 16))>" : String(Character(scalar))
    }
    return "'\(body.joined())'"
  }
}
