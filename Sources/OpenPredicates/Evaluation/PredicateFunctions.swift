import Synchronization

/// The functions that a program adds to predicates and expressions.
///
/// On Apple platforms, `FUNCTION(target, "selector:", …)`, custom comparisons and sort descriptors
/// call Objective-C methods by name. On this platform, the same forms call registered functions.
///
/// This is an addition to Apple's API.
///
/// ```swift
/// PredicateFunctions.register("initial") { operands in
///   (operands.first as? String)?.first.map(String.init)
/// }
/// NSPredicate(format: "FUNCTION(name, 'initial') == 'A'")
/// ```
///
/// > Concurrency: Usable on any thread; a `Mutex` protects the table of functions. The thread that
/// > evaluates a predicate calls the functions, without holding the lock.
/// > Reference: Apple, NSExpression, init(forFunction:selectorName:arguments:).
public enum PredicateFunctions {
  /// A function that receives the target and the arguments as an array, and returns a value.
  ///
  /// In the operands and in the result, nil represents null.
  public typealias Function = @Sendable (_ operands: [Any?]) -> Any?

  private static let functions = Mutex<[String: Function]>([:])

  /// Registers a function, replacing any earlier function with the same name.
  ///
  /// Built-in functions cannot be replaced: a function that is registered under the name of a
  /// built-in function, such as `add:to:`, is never called.
  ///
  /// - Parameters:
  ///   - name: The name of the function in predicates, including the colons.
  ///   - function: The function, whose first operand is the target. For a custom comparison, the
  ///     function receives both sides and returns a Boolean value. For a sort descriptor, the
  ///     function receives two values and returns a `ComparisonResult`, or a number whose sign
  ///     specifies the order.
  public static func register(_ name: String, _ function: @escaping Function) {
    functions.withLock { $0[name] = function }
  }

  /// Removes the function that is registered under a name; does nothing if there is no such
  /// function.
  ///
  /// - Parameter name: The name with which the function was registered.
  public static func unregister(_ name: String) {
    functions.withLock { $0[name] = nil }
  }

  /// Returns whether a function is registered under a name.
  ///
  /// - Parameter name: The name of the function in predicates, including the colons.
  public static func isRegistered(_ name: String) -> Bool {
    function(named: name) != nil
  }

  static func function(named name: String) -> Function? {
    functions.withLock { $0[name] }
  }

  /// Returns whether a name is the canonical name of a function of the predicate language.
  package static func isBuiltIn(_ name: String) -> Bool {
    PredicateFunction(named: name)?.name == name
  }
}
