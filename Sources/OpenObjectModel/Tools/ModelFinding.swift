/// An error in a model, or a definition that its author may not have intended.
///
/// This is an addition to Apple's API.
public struct ModelFinding: Sendable, Hashable, CustomStringConvertible {
  /// The severity of a finding.
  public enum Severity: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// The definition works, but there is a better form.
    case advice = 1
    /// The definition works, but has consequences that are easily overlooked.
    case warning = 2
    /// The definition does not work.
    case error = 3

    public static func < (left: Severity, right: Severity) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// The permanent name of a rule.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The model cannot be used; the message is that of the model error.
    public static let unusable = Code(rawValue: "unusable")
    /// A relationship has no inverse.
    public static let missingInverse = Code(rawValue: "missing-inverse")
    /// The inverse of a relationship does not refer back to the relationship.
    public static let oneSidedInverse = Code(rawValue: "one-sided-inverse")
    /// The minimum count of a relationship exceeds its maximum count.
    public static let impossibleCount = Code(rawValue: "impossible-count")
    /// A required to-many relationship may be empty.
    public static let emptyRequiredToMany = Code(rawValue: "empty-required-to-many")
    /// An optional relationship has a minimum count, which applies only if there are destinations.
    public static let optionalMinimum = Code(rawValue: "optional-minimum")
    /// Deleting an object nullifies a relationship that its destinations require.
    public static let nullifiesRequired = Code(rawValue: "nullifies-required")
    /// A property has the name of a member of `NSManagedObject`.
    public static let reservedName = Code(rawValue: "reserved-name")
    /// Two names differ only in case.
    public static let namesDifferInCase = Code(rawValue: "names-differ-in-case")
    /// A transformable attribute is read without checking the classes in the archive.
    public static let insecureTransformer = Code(rawValue: "insecure-transformer")
    /// A required number has no default value.
    public static let missingDefault = Code(rawValue: "missing-default")
    /// A default value does not satisfy the attribute's own conditions.
    public static let refusedDefault = Code(rawValue: "refused-default")
    /// A document contains a default value whose form is unusual for the attribute's type.
    public static let looseDefault = Code(rawValue: "loose-default")
    /// A uniqueness constraint contains a relationship, or an attribute that is not stored.
    public static let constraintOnOther = Code(rawValue: "constraint-on-other")
    /// An abstract entity has no descendant that is not abstract.
    public static let emptyAbstract = Code(rawValue: "empty-abstract")
  }

  /// The rule that the model violates.
  public let code: Code
  /// The severity of the finding.
  public let severity: Severity
  /// The name of the entity; nil for the model as a whole.
  public let entityName: String?
  /// The name of the property; nil for the entity as a whole.
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
