/// Marks a subclass of `NSManagedObject`; stands where code for Apple systems has `@objc(Name)`.
///
/// Models find the class by its own name, with or without module and enclosing types, and need no
/// registration. The macro checks that the declaration can be found that way, and makes validation
/// methods of the class's body known, `validate<Key>(_:)` with a pointer to the value:
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

/// Marks a subclass of `NSManagedObject` that models know under another name than its own.
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

/// Gives a property the value that its object's context keeps; stands where code for Apple systems
/// has `@NSManaged`.
///
/// Works in the class and in its extensions. The property needs an explicit type and neither
/// initial value nor accessors. A name such as `primitiveTitle` means the primitive value of
/// `title`, which is read and written without firing faults and recording changes.
@attached(accessor)
@attached(peer, names: prefixed(__key_))
public macro Managed() = #externalMacro(module: "OpenMacros", type: "ManagedMacro")

/// Gives a property the value of a property that has another name in the model.
///
/// - Parameter name: The property's name in the model; a string literal.
@attached(accessor)
@attached(peer, names: prefixed(__key_))
public macro Managed(_ name: String) = #externalMacro(module: "OpenMacros", type: "ManagedMacro")

/// Supplies the body of a to-many accessor; stands where code for Apple systems has `@NSManaged` on
/// a method.
///
/// Works in the class and in its extensions. For a relationship `threads` the accessors are
/// `addToThreads(_:)` and `removeFromThreads(_:)`, with an object or a set, and for an ordered one
/// also `insertIntoThreads(_:at:)`, `removeFromThreads(at:)` and `replaceThreads(at:with:)`, with
/// an object and a position or with several of each:
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
