import Foundation
import OpenObjectModel
import OpenPredicates

/// A converter for the texts in a predicate. The converter replaces a text that is compared with a
/// date, UUID or URI attribute by a value of this type.
///
/// The predicate language has no literals for dates, UUIDs and URIs. On a command line, a user
/// writes these values as text: `day >= "2024-05-01"`, `id == "0B6E…"`. If a text cannot be
/// converted, the converter throws an error, because the comparison would match no rows.
struct QueryLiterals {
  private let entity: CompiledEntity

  private static let textOperators: Set<ComparisonOperator> = [
    .matches, .like, .beginsWith, .endsWith, .contains, .customSelector,
    .containsWords,
  ]

  /// - Parameter entity: The entity that the query fetches.
  init(_ entity: CompiledEntity) { self.entity = entity }

  /// Returns the predicate with values instead of the texts.
  ///
  /// - Throws: `ToolError` if a text cannot be converted to the type of the attribute.
  func read(_ predicate: NSPredicate) throws -> NSPredicate {
    guard case .template(let template, let arguments, _) = predicate.form, arguments.isEmpty else {
      return predicate
    }
    let root = try TreeReplacement(finish: change, changed).node(template.root)
    return root == template.root ? predicate : NSPredicate.from(root)
  }

  private func changed(
    _ node: ExpressionNode, _ subqueries: TreeReplacement.Subqueries
  ) throws -> ExpressionNode? {
    switch node {
    case .cast(.constant(.string(let text)), let type): try cast(text, type)
    // A nested fetch has another entity.
    case .fetch: node
    default: nil
    }
  }

  private func change(
    _ comparison: inout ComparisonNode, _ subqueries: TreeReplacement.Subqueries
  ) throws {
    guard !Self.textOperators.contains(comparison.operation) else { return }
    let (left, right) = (comparison.left, comparison.right)
    if let type = type(of: left, subqueries) { comparison.right = try value(right, type, left) }
    if let type = type(of: right, subqueries) { comparison.left = try value(left, type, right) }
  }

  // MARK: Values

  /// Converts a text, or each text in a list, to a value of an attribute's type.
  private func value(
    _ node: ExpressionNode, _ type: AttributeType, _ property: ExpressionNode
  ) throws -> ExpressionNode {
    switch node {
    case .constant(.string(let text)):
      guard let value = Self.value(of: text, type) else {
        throw ToolError(
          .usage,
          "--where: \(Self.name(of: property)) is a \(Self.names[type] ?? "value"), but "
            + "\"\(text)\" is not. \(Self.advice[type] ?? "").")
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
        "--where: CAST(\"\(text)\", \"\(type)\") is not a \(Self.names[kind] ?? "value"). "
          + "\(Self.advice[kind] ?? "").")
    }
    return .constant(value)
  }

  private static let names: [AttributeType: String] = [.date: "date", .uuid: "UUID", .uri: "URI"]

  private static let advice: [AttributeType: String] = [
    .date:
      "Write \"2024-05-01\", \"2024-05-01T12:30:00Z\", or CAST(seconds since 2001, \"NSDate\")",
    .uuid: "Write 32 hexadecimal digits, as in \"01234567-89AB-CDEF-0123-456789ABCDEF\"",
    .uri: "Write a URI such as \"https://example.com/a\"",
  ]

  private static func name(of property: ExpressionNode) -> String {
    switch property {
    case .keyPath(let path), .path(_, let path): path.joined(separator: ".")
    default: "the property"
    }
  }

  // MARK: Types

  /// Returns the type of the attribute that an expression refers to, if it is the date, UUID or URI
  /// type; otherwise, returns nil.
  private func type(
    of node: ExpressionNode, _ subqueries: TreeReplacement.Subqueries
  ) -> AttributeType? {
    guard let property = property(of: node, subqueries), let type = property.attribute?.type,
      Self.names[type] != nil
    else { return nil }
    return type
  }

  private func property(
    of node: ExpressionNode, _ subqueries: TreeReplacement.Subqueries
  ) -> CompiledProperty? {
    switch node {
    case .keyPath(let path): return property(path[...], of: entity)
    case .path(of: .variable(let name), let path):
      guard let (collection, around) = subqueries.collection(of: name),
        let relationship = property(of: collection, around)?.relationship
      else { return nil }
      return property(path[...], of: entity.model.entities[relationship.destinationIndex])
    case .path(of: .evaluatedObject, let path): return property(path[...], of: entity)
    default: return nil
    }
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
