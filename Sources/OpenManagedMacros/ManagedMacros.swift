/// Marks a subclass of `NSManagedObject`; replaces `@objc(Name)` in code for Apple platforms.
///
/// Models find the class by its name, with or without module and enclosing types, without registration. The macro
/// checks that the declaration can be found by name, and registers validation methods in the class's body,
/// `validate<Key>(_:)` with a pointer to the value:
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
@attached(member, names: named(__validatesMore), named(__validate))
public macro ManagedObject() = #externalMacro(module: "OpenMacros", type: "ManagedObjectMacro")

/// Marks a subclass of `NSManagedObject` with a different name in the model.
///
/// ```swift
/// @ManagedObject("Thread")
/// public class ForumThread: NSManagedObject {}
/// ```
///
/// - Parameter name: The class name in the model, without module; a string literal.
@attached(member, names: named(__managedClassName), arbitrary)
public macro ManagedObject(_ name: String) =
  #externalMacro(module: "OpenMacros", type: "ManagedObjectMacro")

/// Generates the accessors of a managed property; replaces `@NSManaged` in code for Apple platforms.
///
/// Works in the class and in its extensions. The property needs an explicit type, and must have neither an initial
/// value nor accessors. A name such as `primitiveTitle` means the primitive value of `title`, which is read and
/// written without firing faults or recording changes.
@attached(accessor)
@attached(peer, names: prefixed(__key_))
public macro Managed() = #externalMacro(module: "OpenMacros", type: "ManagedMacro")

/// Generates the accessors of a managed property with a different name in the model.
///
/// - Parameter name: The property's name in the model; a string literal.
@attached(accessor)
@attached(peer, names: prefixed(__key_))
public macro Managed(_ name: String) = #externalMacro(module: "OpenMacros", type: "ManagedMacro")

/// Generates the body of a to-many accessor; replaces `@NSManaged` on a method in code for Apple platforms.
///
/// Works in the class and in its extensions. For a relationship `threads` the accessors are
/// `addToThreads(_:)` and `removeFromThreads(_:)`, with an object or a set, and for an ordered relationship also
/// `insertIntoThreads(_:at:)`, `removeFromThreads(at:)` and `replaceThreads(at:with:)`, with an object and a position
/// or with several of each:
///
/// ```swift
/// extension Forum {
///   @ManagedAccessor public func addToThreads(_ value: Thread)
///   @ManagedAccessor public func removeFromThreads(_ value: Thread)
/// }
/// ```
@attached(body)
public macro ManagedAccessor() = #externalMacro(module: "OpenMacros", type: "ManagedAccessorMacro")

/// Supplies the body of an accessor of a to-many relationship that has another name in the model.
///
/// - Parameter name: The relationship's name in the model; a string literal.
@attached(body)
public macro ManagedAccessor(_ name: String) =
  #externalMacro(module: "OpenMacros", type: "ManagedAccessorMacro")
