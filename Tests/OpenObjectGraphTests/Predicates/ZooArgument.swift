import Foundation
import OpenCoreData
import OpenPredicates

/// An argument of a random predicate: data for the interpreter, objects for each side.
enum ZooArgument: CustomStringConvertible {
  case value(Value)
  case list([Value])
  case object(ZooNode)
  case id(ZooNode)
  /// Objects and ids mixed, as an array or as a set.
  case objects([ZooNode], asSet: Bool)
  case entity(String)

  var item: ZooItem {
    switch self {
    case .value(let value): .value(value)
    case .list(let values): .items(values.map(ZooItem.value))
    case .object(let node), .id(let node): .node(node)
    case .objects(let nodes, _): .items(nodes.map(ZooItem.node))
    case .entity(let name): .entity(name)
    }
  }

  func argument(on side: ZooWorld.Side) -> Any {
    switch self {
    case .value(let value): value.anyValue ?? NSNull()
    case .list(let values): values.map { $0.anyValue ?? NSNull() }
    case .object(let node): side.objects[node.code] ?? NSNull()
    case .id(let node): side.objects[node.code]?.objectID ?? NSNull()
    case .objects(let nodes, let asSet):
      asSet
        ? NSSet(array: nodes.compactMap { side.objects[$0.code] })
        : nodes.enumerated().compactMap { index, node -> Any? in
          index % 2 == 0 ? side.objects[node.code] : side.objects[node.code]?.objectID
        } as Any
    case .entity(let name):
      side.context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[name] ?? NSNull()
    }
  }

  var description: String {
    switch self {
    case .value(let value): "\(value)"
    case .list(let values): "\(values)"
    case .object(let node): "object \(node.code)"
    case .id(let node): "id \(node.code)"
    case .objects(let nodes, let asSet): "\(asSet ? "set" : "array") \(nodes.map(\.code))"
    case .entity(let name): "entity \(name)"
    }
  }
}
