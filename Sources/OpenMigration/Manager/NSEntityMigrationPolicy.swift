public import Foundation
public import OpenObjectGraph

/// Migrates the objects of an entity mapping.
///
/// A mapping names a subclass in `entityMigrationPolicyClassName`, with its module or without; there is one policy for each mapping.
/// For all mappings in turn, a migration manager calls `begin`, `createDestinationInstances` for each source object, and
/// `endInstanceCreation`; then for all `createRelationships` for each destination object, and `endRelationshipCreation`; then for all
/// `performCustomValidation` and `end`. If a method throws an error, the migration ends and `migrateStore` throws the
/// error.
///
/// > Concurrency: Called on the thread that called `migrateStore`, which has the queues of both contexts.
/// > Reference: Apple, NSEntityMigrationPolicy.
open class NSEntityMigrationPolicy: NSObject {
  /// Creates a policy.
  public required override init() { super.init() }

  /// Called once, before the mapping's first object.
  ///
  /// - Throws: An error that ends the migration; the default never throws.
  open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

  /// Creates the destination object of one source object.
  ///
  /// Inserts an object of the destination entity, sets its attributes by the attribute mappings, and associates the
  /// two objects. An override that does not call super must associate its objects; otherwise relationships cannot
  /// find them. A mandatory attribute keeps its default if its mapping has no value.
  ///
  /// - Throws: `CocoaError` 134110, with mapping and property, if an expression cannot be evaluated.
  open func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard let entity = manager.destinationEntity(for: mapping) else {
      throw CocoaError.migration(
        "The mapping \(mapping.name ?? "") has no destination entity; name one that the destination model has."
      )
    }
    let object = NSManagedObject(entity: entity, insertInto: manager.destinationContext)
    var evaluation = MappingEvaluation(
      manager: manager, mapping: mapping, policy: self, source: sInstance, destination: object)
    for property in mapping.attributeMappings ?? [] {
      try evaluation.setAttribute(of: property, entity)
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: object, for: mapping)
  }

  /// Called once, after all objects of the mapping are created.
  ///
  /// - Throws: An error that ends the migration; the default never throws.
  open func endInstanceCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Sets the relationships of one destination object by the relationship mappings.
  ///
  /// - Throws: `CocoaError` 134110 if an expression cannot be evaluated, or returns several objects for a to-one
  ///   relationship.
  open func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    let sources = manager.sourceInstances(
      forEntityMappingName: mapping.name, destinationInstances: [dInstance])
    guard let source = sources.first else { return }
    var evaluation = MappingEvaluation(
      manager: manager, mapping: mapping, policy: self, source: source, destination: dInstance)
    for property in mapping.relationshipMappings ?? [] {
      try evaluation.setRelationship(of: property, dInstance.entity)
    }
  }

  /// Called once, when all relationships of the mapping are set.
  ///
  /// - Throws: An error that ends the migration; the default never throws.
  open func endRelationshipCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Checks the migrated objects before they are validated and saved.
  ///
  /// - Throws: An error that ends the migration; the default never throws.
  open func performCustomValidation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Called once, after the validation of the mapping.
  ///
  /// - Throws: An error that ends the migration; the default never throws.
  open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// The result of a method that an expression calls, as `FUNCTION($entityPolicy, "name:", $source.title)` does.
  ///
  /// On Apple platforms expressions call methods through Objective-C. Here a subclass whose methods are called overrides this one.
  ///
  /// ```swift
  /// override func result(ofSelector selector: String, arguments: [Any?]) throws -> Any? {
  ///   switch selector {
  ///   case "titleForTitle:": title(for: arguments[0] as? String)
  ///   default: try super.result(ofSelector: selector, arguments: arguments)
  ///   }
  /// }
  /// ```
  ///
  /// - Returns: The result of a method that an expression calls, as `FUNCTION($entityPolicy, "name:",
  ///   $source.title)` does; nil if there is none.
  /// - Throws: `CocoaError` 134170 when there is no such method.
  /// > Reference: Addition.
  open func result(ofSelector selector: String, arguments: [Any?]) throws -> Any? {
    throw CocoaError.make(
      CocoaError.Code(rawValue: NSEntityMigrationPolicyError),
      "\(type(of: self)) answers no \"\(selector)\"; override result(ofSelector:arguments:).")
  }
}
