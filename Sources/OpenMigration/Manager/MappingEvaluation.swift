internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel
internal import OpenPredicates
internal import class OpenPredicates.NSExpression

/// Evaluates the expressions of one mapping for one pair of objects.
struct MappingEvaluation {
  let manager: NSMigrationManager
  let mapping: NSEntityMapping
  let policy: NSEntityMigrationPolicy
  let source: NSManagedObject?
  let destination: NSManagedObject?
  private let calls: PolicyCalls
  private lazy var variables = makeVariables()

  init(
    manager: NSMigrationManager, mapping: NSEntityMapping, policy: NSEntityMigrationPolicy,
    source: NSManagedObject? = nil, destination: NSManagedObject? = nil
  ) {
    self.manager = manager
    self.mapping = mapping
    self.policy = policy
    self.source = source
    self.destination = destination
    calls = PolicyCalls(policy, manager)
  }

  private func makeVariables() -> NSMutableDictionary {
    let variables = NSMutableDictionary()
    variables[NSMigrationManagerKey] = manager
    variables[NSMigrationEntityMappingKey] = mapping
    variables[NSMigrationEntityPolicyKey] = calls
    variables[NSMigrationSourceObjectKey] = source
    variables[NSMigrationDestinationObjectKey] = destination
    return variables
  }

  /// Sets an attribute to the value of its expression. Without an expression, the attribute keeps
  /// its default value.
  mutating func setAttribute(of property: NSPropertyMapping, _ entity: NSEntityDescription) throws {
    guard let expression = property.valueExpression else { return }
    let (name, description) = try named(property, in: entity)
    guard !(description is NSDerivedAttributeDescription) else { return }
    guard let attribute = description as? NSAttributeDescription else {
      throw failure(property, "The property is not an attribute of \(entity.name ?? "").")
    }
    var value = try value(of: expression, property)
    if let given = value, attribute is NSCompositeAttributeDescription {
      let source = sourceAttribute(of: expression)
      value = MigratedElements.value(given, from: source, to: attribute)
    }
    if value == nil, !attribute.isOptional, MigratedElements.defaultValue(of: attribute) != nil {
      return
    }
    destination?.setValue(value, forKey: name)
  }

  /// Returns the source attribute whose value an expression returns unchanged; nil for any other
  /// expression.
  private func sourceAttribute(of expression: NSExpression) -> NSAttributeDescription? {
    guard let source, expression.operand.variable == NSMigrationSourceObjectKey else { return nil }
    let name =
      expression.function == "valueForKey:"
      ? expression.arguments?.first?.constantValue as? String : expression.keyPath
    return name.flatMap { source.entity.attributesByName[$0] }
  }

  /// Sets a relationship to the value of its expression. Without an expression, the relationship is
  /// unchanged.
  mutating func setRelationship(
    of property: NSPropertyMapping, _ entity: NSEntityDescription
  ) throws {
    guard let expression = property.valueExpression else { return }
    let (name, description) = try named(property, in: entity)
    guard let relationship = description as? NSRelationshipDescription else {
      throw failure(property, "The property is not a relationship of \(entity.name ?? "").")
    }
    manager.propertyEntity = relationship.destinationEntity
    defer { manager.propertyEntity = nil }
    guard let value = try value(of: expression, property) else { return }
    guard let objects = ObjectList.objects(in: value) else {
      throw failure(property, "The expression returned \(type(of: value)) instead of objects.")
    }
    if relationship.isToMany {
      let members: Any =
        relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
      destination?.setValue(members, forKey: name)
    } else if objects.count > 1 {
      throw failure(
        property, "The expression returned \(objects.count) objects for a to-one relationship.")
    } else {
      destination?.setValue(objects.first, forKey: name)
    }
  }

  /// Returns the source objects that the mapping's `sourceExpression` yields.
  mutating func sources(of expression: NSExpression) throws -> [NSManagedObject] {
    if let fetch = expression as? NSFetchRequestExpression {
      guard
        let request = try value(of: fetch.requestExpression, nil)
          as? NSFetchRequest<NSManagedObject>
      else {
        throw failure(
          nil, "The source expression fetches with a value that is not a fetch request.")
      }
      return try manager.sourceContext.fetch(request)
    }
    guard let value = try value(of: expression, nil) else { return [] }
    if let request = value as? NSFetchRequest<NSManagedObject> {
      return try manager.sourceContext.fetch(request)
    }
    guard let objects = ObjectList.objects(in: value) else {
      throw failure(nil, "The source expression returned \(type(of: value)) instead of objects.")
    }
    return objects
  }

  private func named(
    _ property: NSPropertyMapping, in entity: NSEntityDescription
  ) throws -> (String, NSPropertyDescription) {
    guard let name = property.name, let description = entity.propertiesByName[name] else {
      throw failure(property, "\(entity.name ?? "") has no property with this name.")
    }
    return (name, description)
  }

  private mutating func value(
    of expression: NSExpression, _ property: NSPropertyMapping?
  ) throws -> Any? {
    variables[NSMigrationPropertyMappingKey] = property
    let result: Any?
    do throws(PredicateEvaluationError) {
      result = try expression.evaluating(with: source, context: variables)
    } catch {
      if let thrown = manager.takeCallError() { throw thrown }
      throw failure(property, "The expression \(expression) cannot be evaluated.", error)
    }
    if let thrown = manager.takeCallError() { throw thrown }
    return result is NSNull ? nil : result
  }

  private func failure(
    _ property: NSPropertyMapping?, _ problem: String, _ underlying: (any Error)? = nil
  ) -> CocoaError {
    let place = [mapping.name, property?.name].compactMap { $0 }.joined(separator: ", ")
    let reason = underlying.map { " \($0)" } ?? ""
    return CocoaError.migration("Mapping \(place): \(problem)\(reason)", underlying)
  }
}

/// Converts the value of an expression into a list of objects.
enum ObjectList {
  /// Returns the objects, in the order of an ordered collection, or nil if the value contains
  /// anything else.
  static func objects(in value: Any?) -> [NSManagedObject]? {
    guard let value, !(value is NSNull) else { return [] }
    if let object = value as? NSManagedObject { return [object] }
    guard let members = Collections.members(of: value) else { return nil }
    var objects: [NSManagedObject] = []
    for member in members {
      guard let found = self.objects(in: member) else { return nil }
      objects += found
    }
    return objects
  }
}

/// The object that represents the policy in expressions and keeps the errors that its methods
/// throw.
final class PolicyCalls: MessageReceiver, KeyValueReadable {
  private let policy: NSEntityMigrationPolicy
  private let manager: NSMigrationManager

  init(_ policy: NSEntityMigrationPolicy, _ manager: NSMigrationManager) {
    self.policy = policy
    self.manager = manager
  }

  func result(of selector: String, _ arguments: [Any?]) -> MessageResult? {
    manager.keepingCallError {
      try policy.result(
        ofSelector: selector, arguments: arguments.map { $0 is NSNull ? nil : $0 })
    }
  }

  func readableValue(forKey key: String) -> Any? {
    (policy as? any KeyValueReadable)?.readableValue(forKey: key) ?? NoSuchKey.marker
  }
}
