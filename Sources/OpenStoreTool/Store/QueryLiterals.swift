import Foundation
import OpenObjectModel
import OpenPredicates

/// Reads the texts of a predicate as what the properties beside them hold.
///
/// The predicate language has no literals for dates, UUIDs and URIs. On a command line they are written as texts:
/// `day >= "2024-05-01"`, `id == "0B6E…"`. A text that cannot be read so would match nothing, and is an error.
struct QueryLiterals {
  private let entity: CompiledEntity
  /// The entities of the variables of the subqueries around.
  private var variables: [String: CompiledEntity] = [:]

  private static let textOperators: Set<ComparisonOperator> = [
    .matches, .like, .beginsWith, .endsWith, .contains, .customSelector,
  ]

  /// - Parameter entity: The entity that is fetched.
  init(_ entity: CompiledEntity) { self.entity = entity }

  /// The predicate with values for such texts.
  ///
  /// - Throws: `ToolError` for a text that is none.
  func read(_ predicate: NSPredicate) throws -> NSPredicate {
    guard case .template(let template, let arguments, _) = predicate.form, arguments.isEmpty else {
      return predicate
    }
    let root = try node(template.root)
    return root == template.root ? predicate : NSPredicate.from(root)
  }

  // MARK: Trees, which have 200 levels at most

  private func node(_ node: PredicateNode) throws -> PredicateNode {
    switch node {
    case .constant: return node
    case .not(let part): return .not(try self.node(part))
    case .and(let parts): return .and(try parts.map { try self.node($0) })
    case .or(let parts): return .or(try parts.map { try self.node($0) })
    case .comparison(var comparison):
      comparison.left = try expression(comparison.left)
      comparison.right = try expression(comparison.right)
      if !Self.textOperators.contains(comparison.operation) {
        let (left, right) = (comparison.left, comparison.right)
        if let type = type(of: left) { comparison.right = try value(right, type, left) }
        if let type = type(of: right) { comparison.left = try value(left, type, right) }
      }
      return .comparison(comparison)
    }
  }

  private func expression(_ node: ExpressionNode) throws -> ExpressionNode {
    switch node {
    case .constant, .argument, .variable, .evaluatedObject, .keyPath, .anyKey: return node
    case .path(let base, let path): return .path(of: try expression(base), path)
    case .aggregate(let parts): return .aggregate(try parts.map { try expression($0) })
    case .function(let name, let parts):
      return .function(name, try parts.map { try expression($0) })
    case .subquery(let collection, let name, let filter):
      var inner = self
      inner.variables[name] = destination(of: collection)
      return .subquery(try expression(collection), variable: name, try inner.node(filter))
    case .setOperation(let operation, let left, let right):
      return .setOperation(operation, try expression(left), try expression(right))
    case .index(let base, let index): return .index(try expression(base), try expression(index))
    case .first(let base): return .first(try expression(base))
    case .last(let base): return .last(try expression(base))
    case .size(let base): return .size(try expression(base))
    case .conditional(let condition, let first, let second):
      return .conditional(try self.node(condition), try expression(first), try expression(second))
    case .cast(.constant(.string(let text)), let type): return try cast(text, type)
    case .cast(let inner, let type): return .cast(try expression(inner), type)
    case .assignment(let name, let value): return .assignment(name, try expression(value))
    case .fetch: return node
    }
  }

  // MARK: Values

  /// A text, or a list of texts, as values of an attribute's type.
  private func value(
    _ node: ExpressionNode, _ type: AttributeType, _ property: ExpressionNode
  ) throws -> ExpressionNode {
    switch node {
    case .constant(.string(let text)):
      guard let value = Self.value(of: text, type) else {
        throw ToolError(
          .usage,
          "--where: \(Self.name(of: property)) is a \(Self.names[type] ?? "value"), and "
            + "\"\(text)\" is none; \(Self.advice[type] ?? "").")
      }
      return .constant(value)
    case .constant(.list(let members)):
      let nodes = try members.map { try value(.constant($0), type, property) }
      let values = nodes.compactMap { node in
        if case .constant(let value) = node { value } else { nil }
      }
      return .constant(.list(values))
    case .aggregate(let parts): return .aggregate(try parts.map { try value($0, type, property) })
    default: return node
    }
  }

  private static func value(of text: String, _ type: AttributeType) -> Value? {
    switch type {
    case .date: DateText.seconds(of: text).map { .date($0) }
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .uri: text.isEmpty ? nil : URL(string: text).map { .url($0) }
    default: .string(text)
    }
  }

  private func cast(_ text: String, _ type: String) throws -> ExpressionNode {
    let (value, kind): (Value?, AttributeType?) =
      switch type {
      case "NSDate", "Date":
        (Double(text).map { .date($0) } ?? Self.value(of: text, .date), .date)
      case "NSUUID", "UUID": (Self.value(of: text, .uuid), .uuid)
      case "NSURL", "URL": (Self.value(of: text, .uri), .uri)
      default: (nil, nil)
      }
    guard let kind else { return .cast(.constant(.string(text)), type) }
    guard let value else {
      throw ToolError(
        .usage,
        "--where: CAST(\"\(text)\", \"\(type)\") is no \(Self.names[kind] ?? "value"); "
          + "\(Self.advice[kind] ?? "").")
    }
    return .constant(value)
  }

  private static let names: [AttributeType: String] = [.date: "date", .uuid: "UUID", .uri: "URI"]

  private static let advice: [AttributeType: String] = [
    .date:
      "write \"2024-05-01\", \"2024-05-01T12:30:00Z\", or CAST(seconds since 2001, \"NSDate\")",
    .uuid: "write 32 hexadecimal digits as \"01234567-89AB-CDEF-0123-456789ABCDEF\"",
    .uri: "write a URI such as \"https://example.com/a\"",
  ]

  private static func name(of property: ExpressionNode) -> String {
    switch property {
    case .keyPath(let path), .path(_, let path): path.joined(separator: ".")
    default: "the property"
    }
  }

  // MARK: Types

  /// The type of the dates, UUIDs or URIs that an expression has for its value; nil for any other.
  private func type(of node: ExpressionNode) -> AttributeType? {
    guard let property = property(of: node), let type = property.attribute?.type,
      Self.names[type] != nil
    else { return nil }
    return type
  }

  private func property(of node: ExpressionNode) -> CompiledProperty? {
    switch node {
    case .keyPath(let path): return property(path[...], of: entity)
    case .path(of: .variable(let name), let path):
      return variables[name].flatMap { property(path[...], of: $0) }
    case .path(of: .evaluatedObject, let path): return property(path[...], of: entity)
    default: return nil
    }
  }

  private func destination(of node: ExpressionNode) -> CompiledEntity? {
    property(of: node)?.relationship.map { entity.model.entities[$0.destinationIndex] }
  }

  private func property(_ path: ArraySlice<String>, of entity: CompiledEntity) -> CompiledProperty?
  {
    // Elements of composite attributes have names of several steps.
    if let ordinal = entity.ordinal(of: path.joined(separator: ".")) {
      return entity.properties[ordinal]
    }
    guard let first = path.first, let ordinal = entity.ordinal(of: first),
      let relationship = entity.properties[ordinal].relationship
    else { return nil }
    return property(path.dropFirst(), of: entity.model.entities[relationship.destinationIndex])
  }
}
