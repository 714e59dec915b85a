public import Foundation
public import OpenObjectGraph

/// A policy that migrates the objects of an entity mapping.
///
/// A mapping specifies the name of a subclass in `entityMigrationPolicyClassName`, with or without
/// the module name. The migration manager creates one policy for each mapping, and calls the
/// methods in three passes:
///
/// 1. For each mapping: `begin`, then `createDestinationInstances` for each source object, then
///    `endInstanceCreation`.
/// 2. For each mapping: `createRelationships` for each destination object, then
///    `endRelationshipCreation`.
/// 3. For each mapping: `performCustomValidation`, then `end`.
///
/// If a method throws an error, the migration ends and `migrateStore` throws the error.
///
/// > Concurrency: The manager calls the methods on the thread that called `migrateStore`. The
/// > methods may use both contexts of the manager.
/// > Reference: Apple, NSEntityMigrationPolicy.
open class NSEntityMigrationPolicy: NSObject {
  /// Creates a policy; the migration manager calls this initializer for each mapping.
  public required override init() { super.init() }

  /// The manager calls this method once, before it migrates the objects of the mapping.
  ///
  /// Override this method to prepare the migration of the objects. The default implementation does
  /// nothing.
  ///
  /// - Parameters:
  ///   - mapping: The mapping of the policy.
  ///   - manager: The migration manager.
  /// - Throws: An error that ends the migration. The default implementation never throws.
  open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

  /// Creates the destination object of one source object.
  ///
  /// The default implementation inserts an object of the destination entity, sets its attributes
  /// according to the attribute mappings, and associates the two objects. If the expression for a
  /// required attribute yields nil, the attribute keeps its default value.
  ///
  /// An override that does not call super must call the manager's
  /// `associate(sourceInstance:withDestinationInstance:for:)`. Otherwise, the relationship mappings
  /// cannot find the destination objects.
  ///
  /// - Parameters:
  ///   - sInstance: The source object.
  ///   - mapping: The mapping of the policy.
  ///   - manager: The migration manager.
  /// - Throws: `CocoaError` 134110 if the mapping has no destination entity, if a property mapping
  ///   does not name an attribute of that entity, or if an expression cannot be evaluated. The
  ///   message names the mapping and the property. The method also throws the error of a method
  ///   that an expression calls.
  open func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard let entity = manager.destinationEntity(for: mapping) else {
      throw CocoaError.migration(
        "The mapping \(mapping.name ?? "") has no destination entity. Specify an entity of the destination model."
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

  /// The manager calls this method once, after it has created all destination objects of the
  /// mapping.
  ///
  /// Override this method to finish the creation of the objects. The default implementation does
  /// nothing.
  ///
  /// - Parameters:
  ///   - mapping: The mapping of the policy.
  ///   - manager: The migration manager.
  /// - Throws: An error that ends the migration. The default implementation never throws.
  open func endInstanceCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// Sets the relationships of one destination object according to the relationship mappings.
  ///
  /// The default implementation evaluates the expressions with the first source object that is
  /// associated with the destination object. Without an associated source object, the default
  /// implementation does nothing.
  ///
  /// - Parameters:
  ///   - dInstance: The destination object.
  ///   - mapping: The mapping of the policy.
  ///   - manager: The migration manager.
  /// - Throws: `CocoaError` 134110 if a property mapping does not name a relationship, or if an
  ///   expression cannot be evaluated. The method throws the same error if the value of an
  ///   expression contains anything other than managed objects, or if the value for a to-one
  ///   relationship contains several objects. The method also throws the error of a method that an
  ///   expression calls.
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

  /// The manager calls this method once, after it has set the relationships of all destination
  /// objects of the mapping.
  ///
  /// Override this method to finish the relationships of the objects. The default implementation
  /// does nothing.
  ///
  /// - Parameters:
  ///   - mapping: The mapping of the policy.
  ///   - manager: The migration manager.
  /// - Throws: An error that ends the migration. The default implementation never throws.
  open func endRelationshipCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// The manager calls this method once, before it validates and saves the migrated objects.
  ///
  /// Override this method to check the objects. The default implementation does nothing.
  ///
  /// - Parameters:
  ///   - mapping: The mapping of the policy.
  ///   - manager: The migration manager.
  /// - Throws: An error that ends the migration. The default implementation never throws.
  open func performCustomValidation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {}

  /// The manager calls this method once, after the custom validation of the mapping.
  ///
  /// Override this method to release what the policy used for the mapping. The default
  /// implementation does nothing.
  ///
  /// - Parameters:
  ///   - mapping: The mapping of the policy.
  ///   - manager: The migration manager.
  /// - Throws: An error that ends the migration. The default implementation never throws.
  open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Returns the result of a policy method that a mapping expression calls.
  ///
  /// An example of such an expression is `FUNCTION($entityPolicy, "name:", $source.title)`. On
  /// Apple platforms, expressions call methods through the Objective-C runtime. In this library, a
  /// subclass must override this method if expressions call methods of the subclass.
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
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - selector: The name of the method, with a colon for each argument.
  ///   - arguments: The values of the arguments.
  /// - Returns: The result of the method, which may be nil.
  /// - Throws: `CocoaError` 134170 if the policy has no method with this selector. The default
  ///   implementation always throws this error.
  open func result(ofSelector selector: String, arguments: [Any?]) throws -> Any? {
    throw CocoaError.make(
      CocoaError.Code(rawValue: NSEntityMigrationPolicyError),
      "\(type(of: self)) does not respond to \"\(selector)\". Override result(ofSelector:arguments:)."
    )
  }
}
