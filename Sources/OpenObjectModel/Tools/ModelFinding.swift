/// An error in a model, or something that its author may not have intended.
///
/// An addition to Apple's API.
public struct ModelFinding: Sendable, Hashable, CustomStringConvertible {
  /// The severity.
  public enum Severity: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Works as written; there is a better way to say it.
    case advice = 1
    /// Works, with consequences that are easily overlooked.
    case warning = 2
    /// Does not work.
    case error = 3

    public static func < (left: Severity, right: Severity) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// The rule's permanent name.
  public struct Code: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The model cannot be used; the message is that of the error.
    public static let unusable = Code(rawValue: "unusable")
    /// A relationship has no inverse.
    public static let missingInverse = Code(rawValue: "missing-inverse")
    /// A relationship's inverse does not have it as its inverse.
    public static let oneSidedInverse = Code(rawValue: "one-sided-inverse")
    /// A relationship must have more destinations than it may have.
    public static let impossibleCount = Code(rawValue: "impossible-count")
    /// A required to-many relationship may be empty.
    public static let emptyRequiredToMany = Code(rawValue: "empty-required-to-many")
    /// An optional relationship has a minimum count, which applies only if there are destinations.
    public static let optionalMinimum = Code(rawValue: "optional-minimum")
    /// Deleting the source leaves destinations without a value that they need.
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
    /// A document contains a default value in a form that is not that of the attribute's values.
    public static let looseDefault = Code(rawValue: "loose-default")
    /// A uniqueness constraint contains a relationship, or an attribute that is not stored.
    public static let constraintOnOther = Code(rawValue: "constraint-on-other")
    /// An abstract entity has no descendant that is not.
    public static let emptyAbstract = Code(rawValue: "empty-abstract")
  }

  /// The rule.
  public let code: Code
  /// The severity.
  public let severity: Severity
  /// The entity; nil for the model as a whole.
  public let entityName: String?
  /// The property; nil for the entity as a whole.
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
