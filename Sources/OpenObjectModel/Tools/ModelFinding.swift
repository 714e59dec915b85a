/// An error in a model, or a definition that the model's author may not have intended.
///
/// This is an addition to Apple's API.
public struct ModelFinding: Sendable, Hashable, CustomStringConvertible {
  /// The severity of a finding.
  public enum Severity: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// The definition is valid, but another definition is recommended.
    case advice = 1
    /// The definition works, but has consequences that are easily overlooked.
    case warning = 2
    /// The model is invalid, or the definition cannot have the intended effect.
    case error = 3

    public static func < (left: Severity, right: Severity) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// The name of a rule, which is the same in all versions of the library.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name, such as `missing-inverse`.
    public let rawValue: String

    /// Creates a code from the name of a rule.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The model is invalid; the finding has the message of the ``ModelError``.
    public static let unusable = Code(rawValue: "unusable")
    /// A relationship has no inverse.
    public static let missingInverse = Code(rawValue: "missing-inverse")
    /// The inverse of a relationship does not refer back to the relationship.
    public static let oneSidedInverse = Code(rawValue: "one-sided-inverse")
    /// The minimum count of a relationship exceeds its maximum count.
    public static let impossibleCount = Code(rawValue: "impossible-count")
    /// A to-many relationship is required, but may be empty because its minimum count is 0.
    public static let emptyRequiredToMany = Code(rawValue: "empty-required-to-many")
    /// An optional relationship has a minimum count, which does not apply if the relationship is
    /// empty.
    public static let optionalMinimum = Code(rawValue: "optional-minimum")
    /// Deleting an object nullifies a required relationship of its destinations.
    public static let nullifiesRequired = Code(rawValue: "nullifies-required")
    /// A property has the name of a member of `NSManagedObject`.
    public static let reservedName = Code(rawValue: "reserved-name")
    /// Two names differ only in case.
    public static let namesDifferInCase = Code(rawValue: "names-differ-in-case")
    /// The transformer of an attribute does not check which classes an archive contains.
    public static let insecureTransformer = Code(rawValue: "insecure-transformer")
    /// A required numeric attribute has no default value.
    public static let missingDefault = Code(rawValue: "missing-default")
    /// A default value does not satisfy the validation conditions of its attribute.
    public static let refusedDefault = Code(rawValue: "refused-default")
    /// A default value in a model document is valid, but not in the format that the model editor
    /// writes for the attribute's type, such as `NO` for an integer.
    public static let looseDefault = Code(rawValue: "loose-default")
    /// A uniqueness constraint contains a property that is not a stored attribute.
    public static let constraintOnOther = Code(rawValue: "constraint-on-other")
    /// An abstract entity has no concrete descendants.
    public static let emptyAbstract = Code(rawValue: "empty-abstract")
  }

  /// The rule that the model violates.
  public let code: Code
  /// The severity of the finding.
  public let severity: Severity
  /// The name of the entity; nil if the finding concerns the model as a whole.
  public let entityName: String?
  /// The name of the property; nil if the finding concerns the entity as a whole.
  public let propertyName: String?
  /// A sentence that describes the problem.
  public let message: String
  /// A sentence that suggests a solution.
  public let advice: String

  /// The finding in one line, such as `warning Book.author: … [missing-inverse]`.
  public var description: String {
    let place = [entityName, propertyName].compactMap { $0 }.joined(separator: ".")
    let head = place.isEmpty ? "\(severity)" : "\(severity) \(place)"
    return "\(head): \(message) \(advice) [\(code.rawValue)]"
  }
}
