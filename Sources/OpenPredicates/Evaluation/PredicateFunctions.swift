import Synchronization

/// Functions that programs add to predicates and expressions.
///
/// With an Objective-C runtime, `FUNCTION(target, "selector:", …)`, custom selectors of comparisons and selectors of
/// sort descriptors call methods by name. These functions replace such methods. An addition to Apple's API.
///
/// ```swift
/// PredicateFunctions.register("initial") { operands in
///   (operands.first as? String)?.first.map(String.init)
/// }
/// NSPredicate(format: "FUNCTION(name, 'initial') == 'A'")
/// ```
///
/// > Concurrency: Shared: its state is in one `Mutex`. Functions are called on the thread of the
/// > evaluation, without a lock.
/// > Reference: Apple, NSExpression, init(forFunction:selectorName:arguments:).
public enum PredicateFunctions {
  /// A function: what it is applied to and its arguments, nil for null; returns nil for null.
  public typealias Function = @Sendable (_ operands: [Any?]) -> Any?

  private static let functions = Mutex<[String: Function]>([:])

  /// Adds a function, or replaces the one of that name.
  ///
  /// A built-in function, such as `add:to:`, cannot be replaced.
  ///
  /// - Parameters:
  ///   - name: The name as predicates write it, with its colons.
  ///   - function: The function. Its first operand is the target; that of a comparison's selector has
  ///     both sides and returns a truth value, that of a sort descriptor's a `ComparisonResult`.
  public static func register(_ name: String, _ function: @escaping Function) {
    functions.withLock { $0[name] = function }
  }

  /// Removes a function; does nothing when no function has that name.
  ///
  /// - Parameter name: The name it was registered under.
  public static func unregister(_ name: String) {
    functions.withLock { $0[name] = nil }
  }

  /// Whether a function of that name was registered.
  ///
  /// - Parameter name: The name as predicates write it.
  /// - Returns: `true` if a function of that name was registered.
  public static func isRegistered(_ name: String) -> Bool {
    function(named: name) != nil
  }

  static func function(named name: String) -> Function? {
    functions.withLock { $0[name] }
  }

  /// Whether a name is that of a function of the predicate language, in its canonical form.
  package static func isBuiltIn(_ name: String) -> Bool {
    PredicateFunction(named: name)?.name == name
  }
}
