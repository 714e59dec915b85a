/// Makes a subclass of `NSManagedObject` available to models, and registers the validation methods
/// of the class.
///
/// Code for Apple platforms uses the attribute `@objc(Name)` instead.
///
/// At run time, a model finds the class by the class name of an entity, so you do not have to
/// register the class. The class name may omit the module and the enclosing types of the class. The
/// macro reports an error if the declaration is not a class, is generic, or has no superclass.
///
/// The macro registers the validation methods in the body of the class. A validation method has the
/// form `validate<Key>(_:)` and receives a pointer to the value:
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

/// Makes a subclass of `NSManagedObject` available to models under a different class name.
///
/// ```swift
/// @ManagedObject("Thread")
/// public class ForumThread: NSManagedObject {}
/// ```
///
/// Otherwise, the macro is identical to ``ManagedObject()``.
///
/// This is an addition to Apple's API.
///
/// - Parameter name: The class name in the model, without the module name. The argument must be a
///   string literal.
@attached(member, names: named(__managedClassName), arbitrary)
public macro ManagedObject(_ name: String) =
  #externalMacro(module: "OpenMacros", type: "ManagedObjectMacro")

/// Generates the accessors of a property of a managed object class.
///
/// The accessors read and write the property with the same name in the model. Code for Apple
/// platforms uses the attribute `@NSManaged` instead.
///
/// You can declare the property in the class or in an extension. The property must have an explicit
/// type, and must not have an initial value or accessors.
///
/// A property named `primitiveTitle` accesses the primitive value of `title`. Reading the primitive
/// value does not fire a fault. Setting the primitive value does not mark the object as changed.
///
/// This is an addition to Apple's API.
@attached(accessor)
@attached(peer, names: prefixed(__key_))
public macro Managed() = #externalMacro(module: "OpenMacros", type: "ManagedMacro")

/// Generates the accessors of a property that has a different name in the model.
///
/// Otherwise, the macro is identical to ``Managed()``.
///
/// This is an addition to Apple's API.
///
/// - Parameter name: The property's name in the model. The argument must be a string literal.
@attached(accessor)
@attached(peer, names: prefixed(__key_))
public macro Managed(_ name: String) = #externalMacro(module: "OpenMacros", type: "ManagedMacro")

/// Generates the body of a method that changes the members of a to-many relationship.
///
/// Code for Apple platforms uses the attribute `@NSManaged` on the method instead.
///
/// You can declare the method in the class or in an extension. For a relationship named `threads`,
/// you can declare `addToThreads(_:)` and `removeFromThreads(_:)`. Both methods take one object or
/// a set of objects. For an ordered relationship, you can also declare `insertIntoThreads(_:at:)`,
/// `removeFromThreads(at:)` and `replaceThreads(at:with:)`. These methods take one index or several
/// indexes.
///
/// For example, the following methods add and remove one object:
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

/// Generates the body of a method that changes the members of the to-many relationship with the
/// given name.
///
/// Use this macro if the relationship's name cannot be derived from the method name. Otherwise, the
/// macro is identical to ``ManagedAccessor()``.
///
/// This is an addition to Apple's API.
///
/// - Parameter name: The relationship's name in the model. The argument must be a string literal.
@attached(body)
public macro ManagedAccessor(_ name: String) =
  #externalMacro(module: "OpenMacros", type: "ManagedAccessorMacro")
