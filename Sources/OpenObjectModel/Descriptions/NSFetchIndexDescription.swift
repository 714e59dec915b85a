public import Foundation
internal import OpenPredicates

/// The kind of an index element: binary or R-tree.
///
/// > Reference: Apple, NSFetchIndexElementType.
public enum NSFetchIndexElementType: UInt, Sendable {
  /// A sorted index of the values, which finds equal values and ranges of values.
  case binary = 0
  /// A spatial index of numeric values, which finds ranges of several values at once.
  case rTree = 1
}

/// A description of an index of an entity.
///
/// > Concurrency: Confined to one thread until the model is used; afterward, any thread may read
/// > the description.
/// > Reference: Apple, NSFetchIndexDescription.
open class NSFetchIndexDescription: NSObject, NSCopying {
  /// The name of the index; the name of the database index contains this name.
  open var name: String { didSet { checkMutable() } }
  /// The elements of the index, in order.
  open var elements: [NSFetchIndexElementDescription] {
    didSet {
      checkMutable()
      for element in elements { element.indexDescription = self }
    }
  }
  /// The predicate that restricts the index to matching rows; nil, the default, for all rows.
  open var partialIndexPredicate: NSPredicate? { didSet { checkMutable() } }
  /// The entity to which the index belongs; nil until the index is added to
  /// ``NSEntityDescription/indexes``.
  open var entity: NSEntityDescription? { owner?.target }
  private var owner: WeakReference<NSEntityDescription>?

  /// Creates an index.
  ///
  /// - Parameters:
  ///   - name: The name of the index.
  ///   - elements: The elements of the index; nil for an index without elements.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
    super.init()
    for element in self.elements { element.indexDescription = self }
  }

  func adopt(_ entity: NSEntityDescription) { owner = entity.weakReference }
  func checkMutable() { entity?.checkMutable() }

  /// Returns a copy of the index, with copies of its elements; the copy does not belong to an
  /// entity.
  open func copy(with zone: NSZone? = nil) -> Any { copy { $0 } }

  /// Returns a copy of the index, whose elements contain other properties.
  func copy(
    replacing property: (NSPropertyDescription) -> NSPropertyDescription
  ) -> NSFetchIndexDescription {
    let copy = NSFetchIndexDescription(
      name: name, elements: elements.compactMap { $0.copy(replacing: property) })
    copy.partialIndexPredicate = partialIndexPredicate
    return copy
  }

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

/// A description of one element of an index.
///
/// > Concurrency: Confined to one thread until the model is used; afterward, any thread may read
/// > the description.
/// > Reference: Apple, NSFetchIndexElementDescription.
open class NSFetchIndexElementDescription: NSObject, NSCopying {
  private weak var owned: NSPropertyDescription?
  /// An expression, retained here because no entity retains the expression.
  private var computed: NSExpressionDescription?
  /// The attribute, to-one relationship or expression that is indexed; nil if the property was
  /// released.
  open var property: NSPropertyDescription? { computed ?? owned }
  /// The index to which the element was last added; nil before the element is added to an index,
  /// and after the index is released.
  public internal(set) weak var indexDescription: NSFetchIndexDescription?
  /// The kind of the index element: binary or R-tree.
  open var collationType: NSFetchIndexElementType {
    didSet { indexDescription?.checkMutable() }
  }
  /// Whether the index contains the values in ascending order; true by default.
  open var isAscending = true { didSet { indexDescription?.checkMutable() } }

  /// Creates an element of an index.
  ///
  /// - Parameters:
  ///   - property: The attribute, to-one relationship or expression to index.
  ///   - collationType: The kind of the index element: binary or R-tree.
  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    owned = property
    computed = property as? NSExpressionDescription
    self.collationType = collationType
  }

  /// Returns a copy of the element with the same property; the copy does not belong to an index.
  ///
  /// If the property was released, the method returns the element itself.
  open func copy(with zone: NSZone? = nil) -> Any { copy { $0 } ?? self }

  /// Returns a copy of the element with another property; nil if the property was released.
  func copy(
    replacing property: (NSPropertyDescription) -> NSPropertyDescription
  ) -> NSFetchIndexElementDescription? {
    guard let own = self.property else { return nil }
    let copy = NSFetchIndexElementDescription(
      property: property(own), collationType: collationType)
    copy.isAscending = isAscending
    return copy
  }

  /// Replaces a property that the element does not retain.
  func adopt(_ property: NSPropertyDescription) { owned = property }

  /// The name of the indexed property or expression; nil if the property was released.
  ///
  /// Once the index has been added to an entity, the name of a composite attribute's element is a
  /// path, such as `address.city`.
  open var propertyName: String? {
    guard let property else { return nil }
    return indexDescription?.entity?.path(of: property) ?? property.name
  }
}

extension NSEntityDescription {
  /// The indexes that stores create: the entity's fetch indexes, and the indexes that older models
  /// declare with `isIndexed` and ``compoundIndexes``.
  ///
  /// The index of a property with `isIndexed` has the name of the property. The indexes of
  /// ``compoundIndexes`` are named `compoundIndex`, `compoundIndex1` and so on. Columns that
  /// already have an index do not get a second index, because newer models declare indexes in both
  /// ways. If several indexes have the same name, only the first is created.
  ///
  /// > Reference: Stores that Apple's framework created from older models; Xcode, for the names of
  /// > groups.
  var compiledIndexes: [CompiledIndex] {
    var result: [CompiledIndex] = []
    var names: Set<String> = []
    func add(_ index: CompiledIndex) {
      if names.insert(index.name.uppercased()).inserted { result.append(index) }
    }
    func isCovered(_ properties: [String]) -> Bool {
      result.contains { $0.elements.map(\.propertyName) == properties }
    }
    for index in indexes { add(index.compiled) }
    let indexed = ownProperties.filter { $0.isIndexed && !$0.isTransient }.map(\.name).sorted()
    for name in indexed where !isCovered([name]) { add(CompiledIndex(name, over: [name])) }
    var number = 0
    for group in self.names(in: compoundIndexes) where !isCovered(group) {
      add(CompiledIndex("compoundIndex" + (number > 0 ? "\(number)" : ""), over: group))
      number += 1
    }
    return result
  }
}

extension CompiledIndex {
  fileprivate init(_ name: String, over properties: [String]) {
    self.init(
      name: name,
      elements: properties.map {
        Element(propertyName: $0, expression: nil, isAscending: true, isRTree: false)
      }, condition: nil)
  }
}
