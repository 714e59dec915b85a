public import Foundation

/// The base class of all property descriptions.
///
/// If the property belongs to an entity of a model that is in use, setting any property of the
/// description except ``userInfo`` traps.
///
/// > Concurrency: Confined to one thread until the model is used; afterward, any thread may read
/// > the description.
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
  /// Application-defined information about the property; an empty dictionary by default.
  open var userInfo: [AnyHashable: Any]? = [:] { didSet { userInfoRevision &+= 1 } }
  /// A number that changes when ``userInfo`` is set. Results that depend on the user info are then
  /// out of date.
  package private(set) final var userInfoRevision = 0
  /// A string that changes the version hash, to distinguish versions of the property that are
  /// otherwise equal; nil by default.
  open var versionHashModifier: String? { didSet { checkMutable() } }
  /// Whether stores index the property; false by default. In new models, use the entity's fetch
  /// indexes instead.
  open var isIndexed = false { didSet { checkMutable() } }
  /// Whether a full-text search of the whole object (`SELF CONTAINSWORDS`) includes the property;
  /// false by default.
  ///
  /// Such a search includes the stored string attributes with this flag, except derived attributes.
  /// A store with `OpenTextIndexOption` keeps a text index of these attributes. See
  /// `Docs/FullTextSearch.md`.
  open var isIndexedBySpotlight = false { didSet { checkMutable() } }
  /// Whether values are stored in external records; false by default. The flag has no effect in
  /// this library.
  ///
  /// Model documents preserve the flag for other tools.
  open var isStoredInExternalRecord = false { didSet { checkMutable() } }

  /// Creates a property without a name.
  public override init() { super.init() }

  func checkMutable() { owner?.owner?.checkMutable() }

  /// The entity that declares the property; a new, empty entity if no entity declares the property.
  open var entity: NSEntityDescription { owner ?? NSEntityDescription() }
  /// The name of the property; empty until you set a name.
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
  /// Whether an object may be saved without a value for the property; true by default.
  open var isOptional = true { didSet { checkMutable() } }
  /// Whether the property is transient; false by default. Stores do not save the values of a
  /// transient property.
  open var isTransient = false { didSet { checkMutable() } }

  /// The name of the property before it was renamed; by default, the current name of the property.
  /// Setting nil restores the default.
  open var renamingIdentifier: String? {
    get { renaming ?? name }
    set {
      checkMutable()
      renaming = newValue
    }
  }
  var ownRenamingIdentifier: String? { renaming }

  /// The conditions that the property's value must satisfy; empty by default. In a condition,
  /// `SELF` refers to the value.
  open var validationPredicates: [NSPredicate] { predicates }
  /// The message or error code of each condition, in the order of ``validationPredicates``; the
  /// last conditions may have neither.
  open var validationWarnings: [Any] { warnings }

  /// Sets the conditions that the property's value must satisfy.
  ///
  /// - Parameters:
  ///   - validationPredicates: The conditions, in which `SELF` refers to the value; nil for no
  ///     conditions.
  ///   - validationWarnings: A message for each condition, in the same order; nil for no messages.
  ///     The array may be shorter than `validationPredicates`; additional messages have no effect.
  ///     If a condition without a message is violated, the error has the code 1550.
  open func setValidationPredicates(
    _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
  ) {
    checkMutable()
    predicates = validationPredicates ?? []
    warnings = validationWarnings ?? []
  }

  /// Returns a copy of the property; the copy does not belong to an entity.
  ///
  /// The copy of a relationship has the destination of the original. In a model without this
  /// destination, the destination of the copy is the entity with the same name. The copy has an
  /// inverse if the destination contains a copy of the original's inverse.
  open func copy(with zone: NSZone? = nil) -> Any { ModelCopier().detachedCopy(of: self) }

  /// Returns whether another object is a property with the same contents.
  ///
  /// The entities of the properties are not compared. The destinations and inverses of
  /// relationships are compared by name.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyDescription else { return false }
    return self === other || DescriptionEquality.areEqual(self, other)
  }

  /// A hash value computed from the property's name.
  open override var hash: Int { name.hashValue }

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
