public import Foundation

extension PredicateExpressions {
  /// An expression that tests whether another predicate is true for a value.
  ///
  /// Foundation lacks this expression on this platform, so the library provides it. The
  /// `#Predicate` macro rejects `predicate.evaluate(value)`; to combine predicates, use
  /// ``Swift/Sequence/conjunction()`` and ``Swift/Sequence/disjunction()``, which use this
  /// expression.
  ///
  /// > Reference: Apple, PredicateExpressions.PredicateEvaluate. Differs: D-351.
  public struct PredicateEvaluate<Input: PredicateExpression>: PredicateExpression {
    public typealias Output = Bool
    /// The predicate to evaluate.
    public let predicate: Predicate<Input.Output>
    /// The value on which the predicate is evaluated.
    public let input: Input

    /// Creates an expression that evaluates a predicate inside another predicate.
    ///
    /// - Parameters:
    ///   - predicate: The predicate to evaluate.
    ///   - input: The value on which the predicate is evaluated.
    public init(predicate: Predicate<Input.Output>, input: Input) {
      self.predicate = predicate
      self.input = input
    }

    public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
      try predicate.evaluate(input.evaluate(bindings))
    }
  }

  /// Returns an expression that evaluates a predicate inside another predicate.
  ///
  /// - Parameters:
  ///   - predicate: The predicate to evaluate.
  ///   - input: The value on which the predicate is evaluated.
  public static func build_evaluate<Input>(
    _ predicate: Predicate<Input.Output>, _ input: Input
  ) -> PredicateEvaluate<Input> {
    PredicateEvaluate(predicate: predicate, input: input)
  }
}

extension PredicateExpressions.PredicateEvaluate: StandardPredicateExpression
where Input: StandardPredicateExpression {}
extension PredicateExpressions.PredicateEvaluate: Sendable where Input: Sendable {}

extension PredicateExpressions.PredicateEvaluate: Codable where Input: Codable {
  /// Always throws an error; predicates cannot be decoded on this platform.
  ///
  /// - Throws: `DecodingError`, always.
  public init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath, debugDescription: "Predicates cannot be decoded."))
  }

  /// Always throws an error; predicates cannot be encoded on this platform.
  ///
  /// - Throws: `EncodingError`, always.
  public func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self,
      EncodingError.Context(
        codingPath: encoder.codingPath, debugDescription: "Predicates cannot be encoded."))
  }
}

extension PredicateExpressions.PredicateEvaluate: LowerableExpression, RelaxableExpression {
  func lowered(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredExpression {
    let meaning = try lowering.lower(input)
    return .condition(
      try lowering.with(predicate.variable.key, as: meaning) {
        (lowering) throws(PredicateFormatError) in try lowering.condition(predicate.expression)
      })
  }

  func relaxed(
    _ lowering: inout SwiftPredicateLowering
  ) throws(PredicateFormatError) -> LoweredCondition {
    let meaning = try lowering.lower(input)
    return try lowering.with(predicate.variable.key, as: meaning) {
      (lowering) throws(PredicateFormatError) in try lowering.relaxed(predicate.expression)
    }
  }
}

extension Sequence {
  /// Returns a predicate that is true if every predicate in the sequence is true.
  ///
  /// For an empty sequence, the returned predicate is always true. Use this method to combine
  /// filters at run time. A fetch executes the result as one condition.
  ///
  /// This is an addition to Apple's API.
  ///
  /// ```swift
  /// var filters = [#Predicate<Trip> { $0.isPlanned }]
  /// if let city { filters.append(#Predicate { $0.city == city }) }
  /// let descriptor = FetchDescriptor(predicate: filters.conjunction())
  /// ```
  public func conjunction<Input>() -> Predicate<Input> where Element == Predicate<Input> {
    let predicates = Array(self)
    return Predicate<Input> { variable in JoinedPredicates(predicates, .all, on: variable) }
  }

  /// Returns a predicate that is true if at least one predicate in the sequence is true.
  ///
  /// For an empty sequence, the returned predicate is never true. Use this method to combine
  /// filters at run time. A fetch executes the result as one condition.
  ///
  /// This is an addition to Apple's API.
  public func disjunction<Input>() -> Predicate<Input> where Element == Predicate<Input> {
    let predicates = Array(self)
    return Predicate<Input> { variable in JoinedPredicates(predicates, .any, on: variable) }
  }
}
