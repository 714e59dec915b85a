import Foundation
import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Reads the rows of an XML store. Used for only one read.
struct XMLStoreReader {
  private let model: CompiledModel
  private let path: String

  init(model: CompiledModel, path: String) {
    self.model = model
    self.path = path
  }

  /// - Throws: `StoreError` with code `.corrupt` if the file is damaged, or with code
  ///   `.incompatibleSchema` if the file has entities or properties that are not in the model.
  func contents(of data: Data) throws(StoreError) -> StoreContents {
    let names = try XMLNames(model)
    var information: XMLStoreInformation?
    var builder = ContentsBuilder(model: model, path: path)
    try MarkupElement.forEach(in: data, root: "database", path: path) {
      (element) throws(StoreError) in
      switch element.name {
      case "databaseInfo": information = try XMLStoreInformation(element, path: path)
      case "object": try builder.add(try object(element, names))
      default: break
      }
      return true
    }
    guard let information else {
      throw StoreError(
        .corrupt, "The store file is damaged: it has no databaseInfo element. Restore a backup.",
        path: path)
    }
    var contents = StoreContents(
      identifier: information.metadata["NSStoreUUID"] as? String ?? "",
      metadata: information.metadata)
    contents.keySpace = .shared
    contents.nextKeys = [0: information.lastKey + 1]
    try builder.fill(&contents)
    return contents
  }

  private func object(
    _ element: MarkupElement, _ names: XMLNames
  ) throws(StoreError) -> StoredObject {
    guard let type = element.attributes["type"], let id = element.attributes["id"] else {
      throw corrupt("an object has no type or no ID")
    }
    guard let entity = names.entity(type) else {
      throw StoreError(
        .incompatibleSchema,
        "The store contains objects of an entity that does not exist in the model.",
        path: path, entityName: type)
    }
    var object = StoredObject(entity: entity, key: try key(id))
    for child in element.children {
      guard child.name == "attribute" || child.name == "relationship" else { continue }
      let name = child.attributes["name"] ?? ""
      guard let property = names.property(name, of: entity) else {
        throw StoreError(
          .incompatibleSchema,
          "The store contains values of a property that does not exist in the model.",
          path: path, entityName: entity.name, propertyName: name)
      }
      try put(child, property, into: &object)
    }
    return object
  }

  private func put(
    _ element: MarkupElement, _ property: CompiledProperty, into object: inout StoredObject
  ) throws(StoreError) {
    switch property.kind {
    case .attribute(let attribute):
      guard element.name == "attribute" else {
        throw corrupt("the property \(property.name) must be an attribute")
      }
      guard let slot = property.slot else { return }
      let value = AttributeText.value(
        element.text, of: attribute.type, isEncoded: element.attributes["encoding"] == "base64")
      object.values.append(try object.entity.content(value, slot, of: property, path: path))
    case .relationship(let relationship):
      guard element.name == "relationship" else {
        throw corrupt("the property \(property.name) must be a relationship")
      }
      let ids = (element.attributes["idrefs"] ?? "").split(whereSeparator: \.isWhitespace)
      var keys: [Int64] = []
      for id in ids { keys.append(try key(String(id))) }
      if relationship.isToMany {
        object.toMany.append((property.ordinal, keys))
      } else if let destination = keys.first {
        guard keys.count == 1 else {
          throw corrupt("the to-one relationship \(property.name) has several destinations")
        }
        object.toOne.append((property.ordinal, destination))
      }
    }
  }

  /// Returns the key in an id, which consists of a letter and a number.
  private func key(_ id: String) throws(StoreError) -> Int64 {
    guard id.hasPrefix("z"), let key = Int64(id.dropFirst()) else {
      throw corrupt("\(id.prefix(24)) is not a valid object ID")
    }
    return key
  }

  private func corrupt(_ what: String) -> StoreError {
    StoreError(.corrupt, "The store file is damaged: \(what). Restore a backup.", path: path)
  }
}
