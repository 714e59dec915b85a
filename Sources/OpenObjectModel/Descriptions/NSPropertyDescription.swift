public import Foundation

/// What attributes and relationships have in common.
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
  /// Anything that belongs to the property.
  open var userInfo: [AnyHashable: Any]? = [:]
  /// Changes the version hash by hand.
  open var versionHashModifier: String? { didSet { checkMutable() } }
  /// Whether the column is indexed, as older models say it; fetch indexes replaced it.
  open var isIndexed = false { didSet { checkMutable() } }
  /// Whether the values are searched.
  ///
  /// Full-text searches in whole objects go over the texts that have this flag; a store with `OpenTextIndexOption` keeps an index of
  /// them. See `Docs/FullTextSearch.md`.
  open var isIndexedBySpotlight = false { didSet { checkMutable() } }
  /// Whether values lie in external records; kept for tools, without effect here.
  open var isStoredInExternalRecord = false { didSet { checkMutable() } }

  /// Makes a property without name.
  public override init() { super.init() }

  func checkMutable() { owner?.owner?.checkMutable() }

  /// The entity that declares the property.
  open var entity: NSEntityDescription { owner ?? NSEntityDescription() }
  /// The property's name.
  open var name = "" { didSet { checkMutable() } }
  /// The name, and what tells kinds of properties apart.
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
