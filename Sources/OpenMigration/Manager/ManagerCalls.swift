internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel
public import OpenPredicates

/// The methods of a migration manager that mapping expressions call.
struct ManagerCalls {
  let manager: NSMigrationManager

  func result(of selector: String, _ arguments: [Any?]) throws -> Any? {
    switch selector {
    case "destinationInstancesForEntityMappingNamed:sourceInstances:":
      let name = try mappingName(selector, arguments)
      guard let sources = try objects(selector, arguments) else { return nil }
      return manager.destinationInstances(forEntityMappingName: name, sourceInstances: sources)
    case "sourceInstancesForEntityMappingNamed:destinationInstances:":
      let name = try mappingName(selector, arguments)
      guard let destinations = try objects(selector, arguments) else { return nil }
      return manager.sourceInstances(
        forEntityMappingName: name, destinationInstances: destinations)
    case "destinationInstancesForSourceRelationshipNamed:sourceInstances:":
      guard let sources = try objects(selector, arguments) else { return nil }
      return manager.destinationInstances(ofRelated: sources)
    case "fetchRequestForSourceEntityNamed:predicateString:":
      return try fetchRequest(selector, arguments)
    case "destinationEntityForEntityMapping:":
      let mapping: NSEntityMapping? = try argument(selector, arguments, 0)
      return mapping.flatMap { manager.destinationEntity(for: $0) }
    case "sourceEntityForEntityMapping:":
      let mapping: NSEntityMapping? = try argument(selector, arguments, 0)
      return mapping.flatMap { manager.sourceEntity(for: $0) }
    case "valueForKey:":
      let value = manager.readableValue(forKey: try argument(selector, arguments, 0) ?? "")
      return value is NoSuchKey ? nil : value
    default:
      // A method without arguments may be the getter of a property.
      let value: Any? =
        arguments.isEmpty ? manager.readableValue(forKey: selector) : NoSuchKey.marker
      guard value is NoSuchKey else { return value }
      throw CocoaError.migration(
        "\(type(of: manager)) does not respond to \"\(selector)\". Override result(ofSelector:arguments:)."
      )
    }
  }

  /// Returns a request for the objects of a source entity, without subentities.
  private func fetchRequest(
    _ selector: String, _ arguments: [Any?]
  ) throws -> NSFetchRequest<NSManagedObject> {
    let entity: String = try argument(selector, arguments, 0) ?? ""
    guard manager.sourceModel.entitiesByName[entity] != nil else {
      throw CocoaError.migration("The source model has no entity \"\(entity)\".")
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.includesSubentities = false
    if let format: String = try argument(selector, arguments, 1), format != "TRUEPREDICATE" {
      request.predicate = try NSPredicate.parsing(format)
    }
    return request
  }

  /// Returns the name of a mapping in the model.
  private func mappingName(_ selector: String, _ arguments: [Any?]) throws -> String {
    let name: String = try argument(selector, arguments, 0) ?? ""
    guard manager.mappingModel.entityMappingsByName[name] != nil else {
      throw CocoaError.migration("The mapping model has no mapping named \"\(name)\".")
    }
    return name
  }

  /// Returns the objects in the second argument, or nil if the argument contains no objects.
  private func objects(_ selector: String, _ arguments: [Any?]) throws -> [NSManagedObject]? {
    guard arguments.count == 2, let objects = ObjectList.objects(in: arguments[1]) else {
      throw unfit(selector, 1)
    }
    return objects.isEmpty ? nil : objects
  }

  private func argument<Kind>(
    _ selector: String, _ arguments: [Any?], _ position: Int
  ) throws -> Kind? {
    guard position < arguments.count else { throw unfit(selector, position) }
    guard let argument = arguments[position], !(argument is NSNull) else { return nil }
    guard let fitting = argument as? Kind else { throw unfit(selector, position) }
    return fitting
  }

  private func unfit(_ selector: String, _ position: Int) -> CocoaError {
    .migration("Argument \(position + 1) of \"\(selector)\" is missing or has the wrong type.")
  }
}

extension NSMigrationManager: MessageReceiver {
  package func result(of selector: String, _ arguments: [Any?]) -> MessageResult? {
    keepingCallError {
      try result(
        ofSelector: selector, arguments: arguments.map { $0 is NSNull ? nil : $0 })
    }
  }
}

extension NSMigrationManager: KeyValueReadable {
  /// Returns the value of a property that mapping expressions can read, such as
  /// `$manager.sourceContext`.
  ///
  /// - Parameter key: The name of the property.
  /// - Returns: The value; nil if the property has no value; `NoSuchKey.marker` if there is no such
  ///   property.
  public func readableValue(forKey key: String) -> Any? {
    switch key {
    case "sourceContext": sourceContext
    case "destinationContext": destinationContext
    case "sourceModel": sourceModel
    case "destinationModel": destinationModel
    case "mappingModel": mappingModel
    case "currentEntityMapping": currentEntityMapping
    case "migrationProgress": migrationProgress
    case "userInfo": userInfo as NSDictionary?
    default: NoSuchKey.marker
    }
  }
}

extension NSEntityMapping: KeyValueReadable {
  /// Returns the value of a property that mapping expressions can read, such as
  /// `$entityMapping.userInfo`.
  ///
  /// - Parameter key: The name of the property.
  /// - Returns: The value; nil if the property has no value; `NoSuchKey.marker` if there is no such
  ///   property.
  public func readableValue(forKey key: String) -> Any? {
    switch key {
    case "name": name
    case "sourceEntityName": sourceEntityName
    case "destinationEntityName": destinationEntityName
    case "userInfo": userInfo as NSDictionary?
    default: NoSuchKey.marker
    }
  }
}

extension NSPropertyMapping: KeyValueReadable {
  /// Returns the value of a property that mapping expressions can read, such as
  /// `$propertyMapping.name`.
  ///
  /// - Parameter key: The name of the property.
  /// - Returns: The value; nil if the property has no value; `NoSuchKey.marker` if there is no such
  ///   property.
  public func readableValue(forKey key: String) -> Any? {
    switch key {
    case "name": name
    case "userInfo": userInfo as NSDictionary?
    default: NoSuchKey.marker
    }
  }
}
