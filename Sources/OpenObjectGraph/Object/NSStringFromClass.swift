/// Returns the name of a managed object class.
///
/// The name of a class that is not nested in another type does not contain the module, like the
/// Objective-C name of a class that Xcode generates. Therefore, the name can be used as the name of
/// the class's entity. The name of a nested class contains the module and the enclosing types.
///
/// - Parameter type: The class.
/// - Returns: The name that `@ManagedObject` specifies, or the name of the class.
/// > Concurrency: Callable from any thread.
/// > Reference: Apple, NSStringFromClass(_:). Differs: D-445.
public func NSStringFromClass(_ type: NSManagedObject.Type) -> String {
  let name = String(reflecting: type)
  let isNested = name.split(separator: ".").count > 2
  return isNested ? name : type.__managedClassName
}
