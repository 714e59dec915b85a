import Foundation
import OpenCoreData
import OpenObjectGraph
import OpenObjectModel

/// The contents of a store as comparable texts: entity identity and key, then properties by identity.
struct StoreImage: Equatable {
  var rows: [String: [String: String]] = [:]

  /// Reads everything with a model.
  init(_ model: RandomModel, in context: NSManagedObjectContext) throws {
    for identity in model.order {
      guard let entity = model.entities[identity], !entity.isAbstract else { continue }
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
      request.includesSubentities = false
      for object in try context.fetch(request) {
        rows[Self.name(of: object, identity)] = Self.properties(of: object, identity, model)
      }
    }
  }

  private static func key(_ object: NSManagedObject) -> String {
    object.objectID.uriRepresentation().lastPathComponent
  }

  private static func name(of object: NSManagedObject, _ identity: Int) -> String {
    "\(identity)/\(key(object))"
  }

  private static func properties(
    of object: NSManagedObject, _ identity: Int, _ model: RandomModel
  ) -> [String: String] {
    var properties: [String: String] = [:]
    for attribute in model.attributes(of: identity) {
      properties["\(attribute.identity)"] = text(object.value(forKey: attribute.name))
    }
    for relationship in model.relationships(of: identity) {
      properties["\(relationship.identity)"] = links(object, relationship, model)
    }
    for ancestor in model.lineage(identity) where model.entities[ancestor]?.counts != nil {
      properties["count\(ancestor)"] = text(object.value(forKey: "count\(ancestor)"))
    }
    return properties
  }

  static func text(_ value: Any?) -> String {
    switch value {
    case let data as Data: "\(data.count) bytes of \(data.first ?? 0)"
    case let number as NSNumber: "\(number)"
    case let elements as [String: Any]:
      elements.map { "\($0.key) \(text($0.value))" }.sorted().joined(separator: ", ")
    case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
    case let value?: "\(value)"
    case nil: "nil"
    }
  }

  private static func links(
    _ object: NSManagedObject, _ relationship: RandomModel.Relationship, _ model: RandomModel
  ) -> String {
    let identities = Dictionary(model.order.map { (model.entities[$0]?.name ?? "", $0) }) { $1 }
    let name = { (object: NSManagedObject) in
      Self.name(of: object, identities[object.entity.name ?? ""] ?? 0)
    }
    let value = object.value(forKey: relationship.name)
    if relationship.isOrdered {
      let members = (value as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
      return members.map(name).joined(separator: " ")
    }
    if relationship.isToMany {
      return ((value as? Set<NSManagedObject>) ?? []).map(name).sorted().joined(separator: " ")
    }
    return (value as? NSManagedObject).map(name) ?? ""
  }

  // MARK: What is expected

  /// The image that the rows have under the next version.
  func changed(from old: RandomModel, to new: RandomModel) -> StoreImage {
    var image = self
    image.rows = [:]
    for (name, properties) in rows {
      guard let identity = name.split(separator: "/").first.flatMap({ Int($0) }),
        new.entities[identity] != nil
      else { continue }
      image.rows[name] = Self.changed(properties, identity, old, new)
    }
    image.link(self, old, new)
    image.keepOneOwner(old, new)
    image.count(new)
    return image
  }

  private static func changed(
    _ properties: [String: String], _ identity: Int, _ old: RandomModel, _ new: RandomModel
  ) -> [String: String] {
    var result: [String: String] = [:]
    for attribute in new.attributes(of: identity) {
      let value = properties["\(attribute.identity)"]
      let initial = attribute.hasDefault ? text(RandomModel.value(attribute.type, 0)) : "nil"
      let before = old.attributes(of: identity).first { $0.identity == attribute.identity }
      let isFilled = before?.isOptional == true && !attribute.isOptional && value == "nil"
      result["\(attribute.identity)"] = isFilled ? initial : value ?? initial
    }
    return result
  }

  /// Checks that links refer to existing rows, and exist in both directions.
  private mutating func link(_ before: StoreImage, _ old: RandomModel, _ new: RandomModel) {
    for name in rows.keys {
      guard let identity = Int(name.split(separator: "/")[0]) else { continue }
      for relationship in new.relationships(of: identity) {
        var links: [String] = []
        if let known = before.rows[name]?["\(relationship.identity)"] {
          links = known.split(separator: " ").map(String.init)
        } else if let inverse = relationship.inverse {
          links = before.rows.filter { _, properties in
            properties["\(inverse)"]?.split(separator: " ").contains(Substring(name)) == true
          }.map(\.key)
        }
        links = links.filter { link in
          let entity = Int(link.split(separator: "/")[0]) ?? 0
          return rows[link] != nil && new.lineage(entity).contains(relationship.destination)
        }
        let wasOrdered = old.relationship(relationship.identity)?.relationship.isOrdered == true
        if !relationship.isOrdered {
          links.sort()
        } else if !wasOrdered {
          links.sort { Self.key($0) < Self.key($1) }
        }
        rows[name]?["\(relationship.identity)"] = links.joined(separator: " ")
      }
    }
  }

  /// A to-many relationship without inverse has one owner for each member: that with the least key.
  private mutating func keepOneOwner(_ old: RandomModel, _ new: RandomModel) {
    for entity in new.order {
      for relationship in new.entities[entity]?.relationships ?? []
      where relationship.isToMany && relationship.inverse == nil {
        let property = "\(relationship.identity)"
        var owners: [String: String] = [:]
        let names = rows.keys.sorted { Self.key($0) < Self.key($1) }
        for name in names {
          for member in rows[name]?[property]?.split(separator: " ").map(String.init) ?? []
          where owners[member] == nil { owners[member] = name }
        }
        for name in names {
          guard let links = rows[name]?[property]?.split(separator: " ").map(String.init) else {
            continue
          }
          rows[name]?[property] = links.filter { owners[$0] == name }.joined(separator: " ")
        }
      }
    }
  }

  private static func key(_ name: String) -> Int { Int(name.split(separator: "/p")[1]) ?? 0 }

  private mutating func count(_ model: RandomModel) {
    for name in rows.keys {
      guard let identity = Int(name.split(separator: "/")[0]) else { continue }
      for ancestor in model.lineage(identity) {
        guard let counted = model.entities[ancestor]?.counts,
          let relationship = model.relationships(of: ancestor).first(where: { $0.name == counted })
        else { continue }
        let links = rows[name]?["\(relationship.identity)"] ?? ""
        rows[name]?["count\(ancestor)"] = "\(links.split(separator: " ").count)"
      }
    }
  }

  /// The differences to another image, for messages.
  func differences(from other: StoreImage) -> [String] {
    Set(rows.keys).union(other.rows.keys).sorted().flatMap { name -> [String] in
      guard let one = rows[name], let two = other.rows[name] else {
        return ["\(name): \(rows[name] == nil ? "missing" : "unexpected")"]
      }
      return Set(one.keys).union(two.keys).sorted().compactMap { key in
        one[key] == two[key]
          ? nil : "\(name).\(key): \(one[key] ?? "-") instead of \(two[key] ?? "-")"
      }
    }
  }
}

extension StoreImage {
  /// Returns the image with another image's names, matching each entity's objects by key order.
  ///
  /// Objects that are migrated one by one receive new keys.
  func named(as other: StoreImage) -> StoreImage {
    let (mine, theirs) = (Self.order(of: rows.keys), Self.order(of: other.rows.keys))
    var names: [String: String] = [:]
    for (identity, list) in mine {
      for (name, wanted) in zip(list, theirs[identity] ?? []) { names[name] = wanted }
    }
    var image = self
    image.rows = [:]
    for (name, properties) in rows {
      image.rows[names[name] ?? name] = properties.mapValues { value in
        let words = value.split(separator: " ").map(String.init)
        return words.contains { names[$0] != nil }
          ? words.map { names[$0] ?? $0 }.joined(separator: " ") : value
      }
    }
    return image
  }

  private static func order(of names: some Sequence<String>) -> [Substring: [String]] {
    Dictionary(grouping: names) { $0.split(separator: "/")[0] }
      .mapValues { $0.sorted { key($0) < key($1) } }
  }

  /// The image without what the rules leave open for objects: the order of members that had none, and which owner keeps a member of a
  /// to-many relationship without inverse, and so how many each owner has.
  func withoutChoices(_ old: RandomModel, _ new: RandomModel) -> StoreImage {
    var image = self
    for (name, properties) in rows {
      guard let identity = Int(name.split(separator: "/")[0]) else { continue }
      for relationship in new.relationships(of: identity) where relationship.isToMany {
        let property = "\(relationship.identity)"
        if relationship.inverse == nil {
          image.rows[name]?[property] = nil
          for ancestor in new.lineage(identity)
          where new.entities[ancestor]?.counts == relationship.name {
            image.rows[name]?["count\(ancestor)"] = nil
          }
          continue
        }
        let wasOrdered = old.relationship(relationship.identity)?.relationship.isOrdered == true
        if relationship.isOrdered, wasOrdered { continue }
        image.rows[name]?[property] = properties[property]?.split(separator: " ").sorted()
          .joined(separator: " ")
      }
    }
    return image
  }
}

extension RandomModel {
  /// Fills a store with rows that have values and links.
  func fill(_ context: NSManagedObjectContext, using numbers: inout Seeded) throws {
    var objects: [Int: [NSManagedObject]] = [:]
    for identity in order {
      guard let entity = entities[identity], !entity.isAbstract else { continue }
      objects[identity] = (0..<Int.random(in: 0...4, using: &numbers)).map { _ in
        let object = NSEntityDescription.insertNewObject(
          forEntityName: entity.name, into: context)
        for attribute in attributes(of: identity) {
          let value = Self.value(attribute.type, Int.random(in: 1...60, using: &numbers))
          object.setValue(numbers.chance(0.3) ? nil : value, forKey: attribute.name)
        }
        return object
      }
    }
    for identity in order {
      for object in objects[identity] ?? [] {
        for relationship in relationships(of: identity) where numbers.chance(0.7) {
          // A count of members that counts an object itself is another matter.
          let all = order.filter { lineage($0).contains(relationship.destination) }
            .flatMap { objects[$0] ?? [] }.filter { $0 !== object }
          link(object, relationship, all, using: &numbers)
        }
      }
    }
    try context.save()
  }

  private func link(
    _ object: NSManagedObject, _ relationship: Relationship, _ all: [NSManagedObject],
    using numbers: inout Seeded
  ) {
    guard relationship.isToMany else {
      return object.setValue(numbers.pick(all), forKey: relationship.name)
    }
    let members = all.shuffled(using: &numbers).prefix(Int.random(in: 0...3, using: &numbers))
    if relationship.isOrdered {
      object.setValue(NSOrderedSet(array: Array(members)), forKey: relationship.name)
    } else {
      object.setValue(Set(members) as NSSet, forKey: relationship.name)
    }
  }
}
