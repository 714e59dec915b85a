public import Foundation
internal import OpenPredicates

/// The kind of an index.
///
/// > Reference: Apple, NSFetchIndexElementType.
public enum NSFetchIndexElementType: UInt, Sendable {
  case binary = 0
  case rTree = 1
}

/// An index over properties of an entity.
///
/// > Reference: Apple, NSFetchIndexDescription.
open class NSFetchIndexDescription: NSObject {
  /// The index's name, part of the name in the database.
  public var name: String { didSet { checkMutable() } }
  /// The columns.
  public var elements: [NSFetchIndexElementDescription] {
    didSet {
      checkMutable()
      for element in elements { element.indexDescription = self }
    }
  }
  /// Restricts the index to the rows that match.
  public var partialIndexPredicate: NSPredicate? { didSet { checkMutable() } }
  /// The entity that the index belongs to.
  public var entity: NSEntityDescription? { owner?.target }
  private var owner: WeakLink<NSEntityDescription>?

  /// Makes an index.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
    super.init()
    for element in self.elements { element.indexDescription = self }
  }

  func adopt(_ entity: NSEntityDescription) { owner = entity.link }
  func checkMutable() { entity?.checkMutable() }

  var compiled: CompiledIndex {
    CompiledIndex(
      name: name,
      elements: elements.compactMap { element in
        element.propertyName.map {
          CompiledIndex.Element(
            propertyName: $0,
            expression: (element.property as? NSExpressionDescription)?.expression?.node,
            isAscending: element.isAscending, isRTree: element.collationType == .rTree)
        }
      },
      condition: partialIndexPredicate.flatMap { $0.form.resolvedNode() })
  }
}

/// One column of an index.
///
/// > Reference: Apple, NSFetchIndexElementDescription.
open class NSFetchIndexElementDescription: NSObject {
  private weak var owned: NSPropertyDescription?
  /// Expressions belong to no entity that would keep them.
  private var computed: NSExpressionDescription?
  /// The attribute, to-one relationship or expression.
  public var property: NSPropertyDescription? { computed ?? owned }
  /// The index that the column belongs to.
  public internal(set) weak var indexDescription: NSFetchIndexDescription?
  /// The kind of the index.
  public var collationType: NSFetchIndexElementType {
    didSet { indexDescription?.checkMutable() }
  }
  /// Whether small values come first.
  public var isAscending = true { didSet { indexDescription?.checkMutable() } }

  /// Makes a column of an index.
  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    owned = property
    computed = property as? NSExpressionDescription
    self.collationType = collationType
  }

  /// The property's name.
  public var propertyName: String? { property?.name }
}
