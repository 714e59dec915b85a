public import Foundation

/// The base class of attributes and relationships.
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
  /// A modifier that changes the version hash.
  open var versionHashModifier: String? { didSet { checkMutable() } }
  /// Whether the column is indexed, in older models; replaced by fetch indexes.
  open var isIndexed = false { didSet { checkMutable() } }
  /// Whether full-text searches include the values.
  ///
  /// Full-text searches of whole objects include string attributes with this flag; a store with `OpenTextIndexOption`
  /// indexes them. See `Docs/FullTextSearch.md`.
  open var isIndexedBySpotlight = false { didSet { checkMutable() } }
  /// Whether values are stored in external records; kept for tools, without effect here.
  open var isStoredInExternalRecord = false { didSet { checkMutable() } }

  /// Creates a property without name.
  public override init() { super.init() }

  func checkMutable() { owner?.owner?.checkMutable() }

  /// The entity that declares the property.
  open var entity: NSEntityDescription { owner ?? NSEntityDescription() }
  /// The property's name.
  open var name = "" { didSet { checkMutable() } }
  /// The name and the kind of the property.
  open override var description: String {
    DebugText.text(
      of: self,
      [
        "name": DebugText.Verbatim(name), "kind": DebugText.Verbatim(kindText),
        "optional": isOptional, "transient": isTransient ? true : nil,
      ])
  }
  /// What kind of property it is, for ``description``.
  private final var kindText: String {
    switch self {
    case let attribute as NSAttributeDescription: "\(attribute.attributeType)"
    case let relationship as NSRelationshipDescription:
      "\(relationship.isToMany ? "to-many" : "to-one") relationship to "
        + (relationship.destinationEntity?.name ?? "?")
    default: "\(type(of: self))"
    }
  }
  /// Whether objects may be saved without a value.
  open var isOptional = true { didSet { checkMutable() } }
  /// Whether the property is not stored.
  open var isTransient = false { didSet { checkMutable() } }

  /// The property's name before it was renamed; the name itself by default.
  open var renamingIdentifier: String? {
    get { renaming ?? name }
    set {
      checkMutable()
      renaming = newValue
    }
  }
  var ownRenamingIdentifier: String? { renaming }

  /// Conditions on the value, with SELF standing for it.
  open var validationPredicates: [NSPredicate] { predicates }
  /// Message or error code for each condition.
  open var validationWarnings: [Any] { warnings }

  /// Sets the conditions on the value.
  open func setValidationPredicates(
    _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
  ) {
    checkMutable()
    predicates = validationPredicates ?? []
    warnings = validationWarnings ?? []
  }

  /// A copy that belongs to no entity; that of a relationship has no inverse.
  ///
  /// - Returns: The copy.
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
