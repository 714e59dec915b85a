public import Foundation

/// An error in the evaluation of a predicate or expression in memory.
///
/// The message never contains values.
public struct PredicateEvaluationError: LocalizedError, Sendable, Hashable,
  CustomStringConvertible
{
  /// A stable number that identifies the kind of error.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The number that identifies the kind of error.
    public let rawValue: Int

    /// Creates a code from its number.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// A key path names a property that the object does not have.
    public static let unknownKey = Code(rawValue: 1)
    /// The two sides of a comparison have incompatible types, or an operand has an unsuitable type.
    public static let typeMismatch = Code(rawValue: 2)
    /// A function or selector is neither built in nor registered.
    public static let unknownFunction = Code(rawValue: 3)
    /// A `$` variable has no value.
    public static let unboundVariable = Code(rawValue: 4)
    /// The predicate or expression is invalid; ``PredicateEvaluationError/underlying`` contains the
    /// reason.
    public static let invalidPredicate = Code(rawValue: 5)
    /// The fetch of a `FETCH` expression failed.
    public static let failedFetch = Code(rawValue: 6)
  }

  /// The kind of the error.
  public let code: Code
  /// A description of the problem and its remedy, in one or two sentences.
  public let message: String
  /// The name of the key, function, selector or variable that the error concerns; nil if the error
  /// concerns none of these.
  public let name: String?
  /// The error in the format or in a regular expression; nil for errors with other causes.
  public let underlying: PredicateFormatError?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The kind of the error.
  ///   - message: A description of the problem and its remedy, without values.
  ///   - name: The name of the key, function, selector or variable that the error concerns; nil if
  ///     the error concerns none of these.
  ///   - underlying: The error in the format or in a regular expression; nil for errors with other
  ///     causes.
  public init(
    code: Code, message: String, name: String? = nil, underlying: PredicateFormatError? = nil
  ) {
    self.code = code
    self.message = message
    self.name = name
    self.underlying = underlying
  }

  /// The message, followed by the message of the underlying error if there is one.
  public var description: String {
    underlying.map { "\(message) \($0.description)" } ?? message
  }

  /// The text of `localizedDescription`, which equals `description`.
  public var errorDescription: String? { description }
}

extension PredicateEvaluationError {
  static func unknownKey(_ key: String, of object: Any?) -> Self {
    let owner = object.map { "\(type(of: $0))" } ?? "nil"
    return PredicateEvaluationError(
      code: .unknownKey,
      message:
        "\(owner) has no property “\(key)”. Correct the key path, or return the value of the "
        + "property from readableValue(forKey:).", name: key)
  }

  static func noCollection(_ key: String, _ object: Any) -> Self {
    PredicateEvaluationError(
      code: .typeMismatch,
      message: "“\(key)” must follow an array or a set, not a value of type \(type(of: object)).",
      name: key
    )
  }

  static let unordered = PredicateEvaluationError(
    code: .typeMismatch, message: "These values cannot be ordered.")

  static let noDictionary = PredicateEvaluationError(
    code: .typeMismatch, message: "ANYKEY requires a dictionary.", name: "ANYKEY")

  static func unknownFunction(_ name: String) -> Self {
    PredicateEvaluationError(
      code: .unknownFunction,
      message: "The function “\(name)” does not exist. Register it with PredicateFunctions.",
      name: name)
  }

  static func failedFetch(_ error: any Error) -> Self {
    PredicateEvaluationError(
      code: .failedFetch, message: "The fetch of a FETCH expression failed: \(error)")
  }

  static func unboundVariable(_ name: String) -> Self {
    PredicateEvaluationError(
      code: .unboundVariable, message: "The variable $\(name) has no value.", name: name)
  }

  static func invalid(_ error: PredicateFormatError) -> Self {
    PredicateEvaluationError(
      code: .invalidPredicate, message: "The predicate cannot be evaluated.", underlying: error)
  }
}

/// Records the first error of an evaluation that reports errors.
///
/// Other evaluations treat an error as nil and continue. The object is confined to one evaluation.
final class EvaluationFailures {
  private(set) var first: PredicateEvaluationError?

  func add(_ error: @autoclosure () -> PredicateEvaluationError) {
    if first == nil { first = error() }
  }
}
