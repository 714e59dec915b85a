public import Foundation
public import OpenObjectGraph

/// How a mapping brings over the objects of its entity.
///
/// A mapping names a subclass in `entityMigrationPolicyClassName`, with its module or without; there is one policy for each mapping.
/// For all mappings in turn, a migration manager calls `begin`, `createDestinationInstances` for each source object, and
/// `endInstanceCreation`; then for all `createRelationships` for each destination object, and `endRelationshipCreation`; then for all
/// `performCustomValidation` and `end`. What a method throws ends the migration, and `migrateStore` throws it.
///
/// > Concurrency: Called on the thread that called `migrateStore`, which has the queues of both contexts.
/// > Reference: Apple, NSEntityMigrationPolicy.
open class NSEntityMigrationPolicy: NSObject {
  /// Makes a policy.
  public required override init() { super.init() }

  /// Called once, before the mapping's first object.
  open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

  /// Makes what becomes of one source object.
  ///
  /// Inserts an object of the destination entity, sets its attributes as the attribute mappings say, and associates the two. An
  /// override that does not call it must associate what it makes, or relationships will not find it. An attribute that must have a value keeps
  /// its default when its mapping gives none.
  ///
  /// - Throws: `CocoaError` 134110 when the value of an expression cannot be had; it names mapping and property.
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

  /// Called once, when all objects of the mapping are made.
  open func endInstanceCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Sets the relationships of one destination object as the relationship mappings say.
  ///
  /// - Throws: `CocoaError` 134110 when the value of an expression cannot be had, or is several objects for a relationship to one.
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
  open func endRelationshipCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Checks what the mapping made, before it is saved with the validation that saves have.
  open func performCustomValidation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Called once, after the validation of the mapping.
  open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// The result of a method that an expression calls, as `FUNCTION($entityPolicy, "name:", $source.title)` does.
  ///
  /// On Apple systems expressions call methods through Objective-C. Here a subclass whose methods are called overrides this one.
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
  /// - Throws: `CocoaError` 134170 when there is no such method.
  /// > Reference: Addition.
  open func result(ofSelector selector: String, arguments: [Any?]) throws -> Any? {
    throw CocoaError.make(
      CocoaError.Code(rawValue: NSEntityMigrationPolicyError),
      "\(type(of: self)) answers no \"\(selector)\"; override result(ofSelector:arguments:).")
  }
}
