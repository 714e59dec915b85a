import Synchronization

/// The functions that a program adds to predicates and expressions.
///
/// With an Objective-C runtime, `FUNCTION(target, "selector:", …)`, custom selectors of comparisons
/// and selectors of sort descriptors call methods by name. Registered functions replace such
/// methods. This is an addition to Apple's API.
///
/// ```swift
/// PredicateFunctions.register("initial") { operands in
///   (operands.first as? String)?.first.map(String.init)
/// }
/// NSPredicate(format: "FUNCTION(name, 'initial') == 'A'")
/// ```
///
/// > Concurrency: Usable on any thread; a `Mutex` protects the registered functions. A function is
/// > called on the thread of the evaluation, without a lock.
/// > Reference: Apple, NSExpression, init(forFunction:selectorName:arguments:).
public enum PredicateFunctions {
  /// A function that receives a target followed by arguments; nil represents null.
  ///
  /// A result of nil also represents null.
  public typealias Function = @Sendable (_ operands: [Any?]) -> Any?

  private static let functions = Mutex<[String: Function]>([:])

  /// Registers a function, replacing any earlier function with the same name.
  ///
  /// Built-in functions, such as `add:to:`, cannot be replaced.
  ///
  /// - Parameters:
  ///   - name: The name in predicates, with its colons.
  ///   - function: The function. Its first operand is the target. The function of a comparison's
  ///     selector receives both sides and returns a Boolean value. The function of a sort
  ///     descriptor's selector returns a `ComparisonResult`.
  public static func register(_ name: String, _ function: @escaping Function) {
    functions.withLock { $0[name] = function }
  }

  /// Removes a function; does nothing if no function has the name.
  ///
  /// - Parameter name: The name with which the function was registered.
  public static func unregister(_ name: String) {
    functions.withLock { $0[name] = nil }
  }

  /// Returns whether a function with a name is registered.
  ///
  /// - Parameter name: The name in predicates, with its colons.
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
