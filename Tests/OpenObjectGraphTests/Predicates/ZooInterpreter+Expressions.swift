import Foundation
import OpenPredicates

extension ZooInterpreter {
  /// Returns the value of an expression for a row.
  func item(_ node: ExpressionNode, _ row: ZooNode) -> ZooItem {
    switch node {
    case .constant(let value): return Self.item(value)
    case .argument(let number):
      return arguments.indices.contains(number) ? arguments[number] : .null
    case .evaluatedObject: return .node(row)
    case .keyPath(let path): return follow(path[...], .node(row))
    case .path(let base, let path): return follow(path[...], item(base, row))
    case .variable(let name): return variables[name] ?? .null
    case .aggregate(let parts): return .items(parts.map { item($0, row) })
    case .function(let name, let operands):
      return .value(ValueFunction.apply(name, operands.map { item($0, row).value }))
    case .subquery(let collection, let name, let filter):
      guard case .items(let members) = item(collection, row) else { return .items([]) }
      var inner = self
      return .items(
        members.filter { member in
          inner.variables[name] = member
          return inner.holds(filter, row) == true
        })
    case .conditional(let condition, let first, let second):
      return item(holds(condition, row) == true ? first : second, row)
    case .cast(let inner, let type):
      return .value(
        ValueFunction.apply("castObject:toType:", [item(inner, row).value, .string(type)]))
    case .size(let base):
      guard case .items(let members) = item(base, row) else { return .null }
      return .value(.int(Int64(members.count)))
    default: return .null
    }
  }

  private static func item(_ value: Value) -> ZooItem {
    guard case .list(let members) = value else { return .value(value) }
    return .items(members.map(ZooItem.value))
  }

  private func follow(_ path: ArraySlice<String>, _ start: ZooItem) -> ZooItem {
    guard let key = path.first else { return start }
    let rest = path.dropFirst()
    if key.hasPrefix("@") { return reduced(start, key, rest) }
    switch start {
    case .items(let items):
      // A following operator ends the path of each member.
      let end = rest.firstIndex { $0.hasPrefix("@") } ?? rest.endIndex
      let reached = items.map { follow(path[path.startIndex..<end], $0) }
      return follow(path[end...], .items(reached.flatMap(flattened)))
    case .node(let node): return follow(rest, step(key, node))
    default:
      // A nil source has no destinations, which stores distinguish from an unknown value.
      let isToMany = path.contains(where: ZooPaths.isToMany)
      guard rules == .sql, isToMany else { return .null }
      let end = path.firstIndex { $0.hasPrefix("@") } ?? path.endIndex
      return follow(path[end...], .items([]))
    }
  }

  private func flattened(_ item: ZooItem) -> [ZooItem] {
    if case .items(let items) = item { items } else { [item] }
  }

  private func step(_ key: String, _ node: ZooNode) -> ZooItem {
    if key == "self" || key == "SELF" || key == "objectID" { return .node(node) }
    if key == "entity" { return .entity(node.entity) }
    if let value = node.values[key] { return .value(value) }
    if let destination = node.destinations[key] { return .node(destination) }
    if ZooPaths.isToMany(key) { return .items((node.members[key] ?? []).map(ZooItem.node)) }
    return .null
  }

  private func reduced(_ start: ZooItem, _ key: String, _ rest: ArraySlice<String>) -> ZooItem {
    guard case .items(let items) = start else {
      return key == "@count" && rules == .sql ? .value(.int(0)) : .null
    }
    if key == "@count" { return .value(.int(Int64(items.count))) }
    let values = items.map { follow(rest, $0).value }.filter { $0 != .null }
    guard let first = values.first else {
      return key == "@sum" && rules == .plain ? .value(.int(0)) : .null
    }
    switch key {
    case "@sum":
      return .value(values.dropFirst().reduce(first) { ValueFunction.apply("add:to:", [$0, $1]) })
    case "@avg":
      let sum = values.dropFirst().reduce(first) { ValueFunction.apply("add:to:", [$0, $1]) }
      return .value(
        ValueFunction.apply(
          "divide:by:",
          [
            ValueFunction.apply("multiply:by:", [sum, .double(1)]), .double(Double(values.count)),
          ]))
    case "@min":
      return .value(
        values.reduce(first) { Value.order($1, $0) == .orderedAscending ? $1 : $0 })
    case "@max":
      return .value(
        values.reduce(first) { Value.order($1, $0) == .orderedDescending ? $1 : $0 })
    default: return .null
    }
  }
}

/// The properties of the zoo.
enum ZooPaths {
  typealias Link = (name: String, entity: String)

  private static let toManyNames = Set(
    ZooModel.relationships.flatMap { link in
      (link.isToMany ? [link.name] : []) + (link.isInverseToMany ? [link.inverse] : [])
    })

  static func isToMany(_ name: String) -> Bool { toManyNames.contains(name) }

  static func toOne(_ entity: String) -> [Link] {
    let line = ZooModel.line(of: entity)
    return ZooModel.relationships.filter { line.contains($0.owner) && !$0.isToMany }
      .map { ($0.name, $0.to) }
  }

  static func toMany(_ entity: String) -> [Link] {
    let line = ZooModel.line(of: entity)
    return ZooModel.relationships.flatMap { link -> [Link] in
      (line.contains(link.owner) && link.isToMany ? [(link.name, link.to)] : [])
        + (line.contains(link.to) ? [(link.inverse, link.owner)] : [])
    }
  }

  static func attributes(_ entity: String, _ kind: ZooKind) -> [String] {
    ZooModel.line(of: entity).flatMap { ZooModel.ownAttributes[$0] ?? [] }
      .filter { $0.kind == kind }.map(\.name)
  }
}
