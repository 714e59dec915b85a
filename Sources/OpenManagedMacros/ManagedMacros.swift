/// Marks a subclass of `NSManagedObject`.
///
/// Use the macro in place of the attribute `@objc(Name)`, which code for Apple platforms uses.
///
/// A model finds the class by the class name of an entity, with or without module and enclosing
/// types. The class does not have to be registered. The macro checks that the class can be found by
/// name. The macro also registers the validation methods in the body of the class. A validation
/// method has the form `validate<Key>(_:)` and receives a pointer to the value:
///
/// ```swift
/// @ManagedObject
/// public class Forum: NSManagedObject {
///   @Managed public var title: String
///
///   func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
///     value.pointee = (value.pointee as? String)?.trimmingCharacters(in: .whitespaces) as NSString?
///   }
/// }
/// ```
///
/// This is an addition to Apple's API.
@attached(member, names: named(__validatesMore), named(__validate))
public macro ManagedObject() = #externalMacro(module: "OpenMacros", type: "ManagedObjectMacro")

/// Marks a subclass of `NSManagedObject` that has a different class name in the model.
///
/// ```swift
/// @ManagedObject("Thread")
/// public class ForumThread: NSManagedObject {}
/// ```
///
/// Otherwise, the macro is identical to ``ManagedObject()``. This is an addition to Apple's API.
///
/// - Parameter name: The class name in the model, without module. The argument must be a string
///   literal.
@attached(member, names: named(__managedClassName), arbitrary)
public macro ManagedObject(_ name: String) =
  #externalMacro(module: "OpenMacros", type: "ManagedObjectMacro")

/// Generates the accessors of a managed property.
///
/// Use the macro in place of the attribute `@NSManaged`, which code for Apple platforms uses.
///
/// The property can be in the class or in an extension. The property needs an explicit type, and
/// must have neither an initial value nor accessors. A property named `primitiveTitle` accesses the
/// primitive value of `title`. Such a property is read without firing a fault, and written without
/// marking the object as changed. This is an addition to Apple's API.
@attached(accessor)
@attached(peer, names: prefixed(__key_))
public macro Managed() = #externalMacro(module: "OpenMacros", type: "ManagedMacro")

/// Generates the accessors of a managed property that has a different name in the model.
///
/// Otherwise, the macro is identical to ``Managed()``. This is an addition to Apple's API.
///
/// - Parameter name: The property's name in the model. The argument must be a string literal.
@attached(accessor)
@attached(peer, names: prefixed(__key_))
public macro Managed(_ name: String) = #externalMacro(module: "OpenMacros", type: "ManagedMacro")

/// Generates the body of a method that changes the members of a to-many relationship.
///
/// Use the macro in place of the attribute `@NSManaged` on a method, which code for Apple platforms
/// uses.
///
/// The method can be in the class or in an extension. For a relationship named `threads`, the
/// methods are `addToThreads(_:)` and `removeFromThreads(_:)`, with an object or a set of objects.
/// An ordered relationship also has `insertIntoThreads(_:at:)`, `removeFromThreads(at:)` and
/// `replaceThreads(at:with:)`, with one object and its index or with several objects and their
/// indexes:
///
/// ```swift
/// extension Forum {
///   @ManagedAccessor public func addToThreads(_ value: Thread)
///   @ManagedAccessor public func removeFromThreads(_ value: Thread)
/// }
/// ```
///
/// This is an addition to Apple's API.
@attached(body)
public macro ManagedAccessor() = #externalMacro(module: "OpenMacros", type: "ManagedAccessorMacro")

/// Generates the body of a method that changes the members of a to-many relationship whose name
/// cannot be derived from the method name.
///
/// Otherwise, the macro is identical to ``ManagedAccessor()``. This is an addition to Apple's API.
///
/// - Parameter name: The relationship's name in the model. The argument must be a string literal.
@attached(body)
public macro ManagedAccessor(_ name: String) =
  #externalMacro(module: "OpenMacros", type: "ManagedAccessorMacro")
