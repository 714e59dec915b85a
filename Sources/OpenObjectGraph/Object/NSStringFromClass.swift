/// Returns the name of a managed object class; only the name of a nested class contains the module.
///
/// The name of a class that is not nested is also the Objective-C name that Xcode generates for the
/// class. You can use this name as the name of the class's entity. The name of a class that is
/// nested in another type contains the names of the module and the enclosing types.
///
/// - Parameter type: The class.
/// - Returns: The name that `@ManagedObject` specifies, or the name of the class.
/// > Concurrency: Callable from any thread.
/// > Reference: Apple, NSStringFromClass(_:). Differs: D-445.
public func NSStringFromClass(_ type: NSManagedObject.Type) -> String {
  let name = type.__managedClassName
  if name != String(describing: type) { return name }
  // The parts of a private type's name include the address of its context in parentheses.
  let parts = String(reflecting: type).split(separator: ".").filter { !$0.hasPrefix("(") }
  return parts.count > 2 ? parts.joined(separator: ".") : name
}
