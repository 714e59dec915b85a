/// Marks a subclass of `NSManagedObject`. The macro replaces `@objc(Name)` in code for Apple
/// platforms.
///
/// Models find the class by its name, with or without module and enclosing types. The class does
/// not have to be registered. The macro checks that the declaration can be found by name. It also
/// registers the validation methods in the class's body, which have the form `validate<Key>(_:)`
/// and receive a pointer to the value:
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

/// Marks a subclass of `NSManagedObject` that has a different class name in the model.
///
/// ```swift
/// @ManagedObject("Thread")
/// public class ForumThread: NSManagedObject {}
/// ```
///
/// - Parameter name: The class name in the model, without module. The argument must be a string
///   literal.
@attached(member, names: named(__managedClassName), arbitrary)
public macro ManagedObject(_ name: String) =
  #externalMacro(module: "OpenMacros", type: "ManagedObjectMacro")

/// Generates the accessors of a managed property. The macro replaces `@NSManaged` in code for Apple
/// platforms.
///
/// The macro works in the class and in its extensions. The property needs an explicit type, and
/// must have neither an initial value nor accessors. A name such as `primitiveTitle` refers to the
/// primitive value of `title`, which is read and written without firing faults or recording
/// changes.
@attached(accessor)
@attached(peer, names: prefixed(__key_))
public macro Managed() = #externalMacro(module: "OpenMacros", type: "ManagedMacro")

/// Generates the accessors of a managed property with a different name in the model.
///
/// - Parameter name: The property's name in the model. The argument must be a string literal.
@attached(accessor)
@attached(peer, names: prefixed(__key_))
public macro Managed(_ name: String) = #externalMacro(module: "OpenMacros", type: "ManagedMacro")

/// Generates the body of a to-many accessor. The macro replaces `@NSManaged` on a method in code
/// for Apple platforms.
///
/// The macro works in the class and in its extensions. For a relationship `threads`, the accessors
/// are `addToThreads(_:)` and `removeFromThreads(_:)`, with an object or a set. An ordered
/// relationship also has `insertIntoThreads(_:at:)`, `removeFromThreads(at:)` and
/// `replaceThreads(at:with:)`, with one object and its index or with several objects and their
/// indexes:
///
/// ```swift
/// extension Forum {
///   @ManagedAccessor public func addToThreads(_ value: Thread)
///   @ManagedAccessor public func removeFromThreads(_ value: Thread)
/// }
/// ```
@attached(body)
public macro ManagedAccessor() = #externalMacro(module: "OpenMacros", type: "ManagedAccessorMacro")

/// Generates the body of a to-many accessor for a relationship with a different name in the model.
///
/// - Parameter name: The relationship's name in the model. The argument must be a string literal.
@attached(body)
public macro ManagedAccessor(_ name: String) =
  #externalMacro(module: "OpenMacros", type: "ManagedAccessorMacro")
