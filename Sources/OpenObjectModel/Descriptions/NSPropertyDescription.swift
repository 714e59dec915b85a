public import Foundation

/// The base class of descriptions of properties.
///
/// > Reference: Apple, NSPropertyDescription.
open class NSPropertyDescription: NSObject, NSCopying {
  private var ownerReference: WeakReference<NSEntityDescription>?
  final var owner: NSEntityDescription? {
    get { ownerReference?.target }
    set { ownerReference = newValue?.weakReference }
  }
  private var predicates: [NSPredicate] = []
  private var warnings: [Any] = []
  private var renaming: String?
  /// Application-defined information about the property.
  open var userInfo: [AnyHashable: Any]? = [:]
  /// A string that is included in the version hash, to distinguish versions that are otherwise
  /// equal.
  open var versionHashModifier: String? { didSet { checkMutable() } }
  /// Whether the property is indexed. In new models, use the entity's fetch indexes.
  open var isIndexed = false { didSet { checkMutable() } }
  /// Whether full-text searches include the values.
  ///
  /// Full-text searches of whole objects include string attributes with this flag, and a store with
  /// `OpenTextIndexOption` indexes these attributes. See `Docs/FullTextSearch.md`.
  open var isIndexedBySpotlight = false { didSet { checkMutable() } }
  /// Whether values are stored in external records. The flag is kept for tools and has no effect.
  open var isStoredInExternalRecord = false { didSet { checkMutable() } }

  /// Creates a property without a name.
  public override init() { super.init() }

  func checkMutable() { owner?.owner?.checkMutable() }

  /// The entity that declares the property; a new, empty entity if no entity declares the property.
  open var entity: NSEntityDescription { owner ?? NSEntityDescription() }
  /// The name of the property.
  open var name = "" { didSet { checkMutable() } }
  /// A description with the name, the kind and the flags of the property.
  open override var description: String {
    DebugText.text(
      of: self,
      [
        "name": DebugText.Verbatim(name), "kind": DebugText.Verbatim(kindText),
        "optional": isOptional, "transient": isTransient ? true : nil,
      ])
  }
  /// The kind of the property, for ``description``.
  private final var kindText: String {
    switch self {
    case let attribute as NSAttributeDescription: "\(attribute.attributeType)"
    case let relationship as NSRelationshipDescription:
      "\(relationship.isToMany ? "to-many" : "to-one") relationship to "
        + (relationship.destinationEntity?.name ?? "?")
    default: "\(type(of: self))"
    }
  }
  /// Whether an object may be saved without a value for the property.
  open var isOptional = true { didSet { checkMutable() } }
  /// Whether the property is not stored.
  open var isTransient = false { didSet { checkMutable() } }

  /// The name of the property before it was renamed; by default, its current name.
  open var renamingIdentifier: String? {
    get { renaming ?? name }
    set {
      checkMutable()
      renaming = newValue
    }
  }
  var ownRenamingIdentifier: String? { renaming }

  /// The conditions that the property's value must satisfy; `SELF` is the value.
  open var validationPredicates: [NSPredicate] { predicates }
  /// The message or error code of each condition, in the order of ``validationPredicates``.
  open var validationWarnings: [Any] { warnings }

  /// Sets the conditions that the property's value must satisfy.
  ///
  /// - Parameters:
  ///   - validationPredicates: The conditions, in which `SELF` is the value; nil for none.
  ///   - validationWarnings: A message for each condition, in the same order; nil for none. A
  ///     condition without a message has the error code 1550.
  open func setValidationPredicates(
    _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
  ) {
    checkMutable()
    predicates = validationPredicates ?? []
    warnings = validationWarnings ?? []
  }

  /// Returns a copy of the property; the copy belongs to no entity.
  ///
  /// The copy of a relationship has no inverse.
  open func copy(with zone: NSZone? = nil) -> Any { ModelCopier().detachedCopy(of: self) }

  func adoptValidation(_ predicates: [NSPredicate], _ warnings: [Any]) {
    self.predicates = predicates
    self.warnings = warnings
  }

  var compiledValidations: [CompiledValidation] {
    predicates.enumerated().map { index, predicate in
      let warning = index < warnings.count ? warnings[index] : nil
      return CompiledValidation(
        predicate: predicate, warning: warning as? String,
        code: (warning as? NSNumber)?.intValue ?? 1550)
    }
  }
}
