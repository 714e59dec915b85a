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
  open var name: String { didSet { checkMutable() } }
  /// The columns.
  open var elements: [NSFetchIndexElementDescription] {
    didSet {
      checkMutable()
      for element in elements { element.indexDescription = self }
    }
  }
  /// Restricts the index to the rows that match.
  open var partialIndexPredicate: NSPredicate? { didSet { checkMutable() } }
  /// The entity that the index belongs to.
  open var entity: NSEntityDescription? { owner?.target }
  private var owner: WeakReference<NSEntityDescription>?

  /// Creates an index.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
    super.init()
    for element in self.elements { element.indexDescription = self }
  }

  func adopt(_ entity: NSEntityDescription) { owner = entity.weakReference }
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
  open var property: NSPropertyDescription? { computed ?? owned }
  /// The index that the column belongs to.
  public internal(set) weak var indexDescription: NSFetchIndexDescription?
  /// The kind of the index.
  open var collationType: NSFetchIndexElementType {
    didSet { indexDescription?.checkMutable() }
  }
  /// Whether values are in ascending order.
  open var isAscending = true { didSet { indexDescription?.checkMutable() } }

  /// Creates a column of an index.
  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    owned = property
    computed = property as? NSExpressionDescription
    self.collationType = collationType
  }

  /// The property's name.
  open var propertyName: String? { property?.name }
}

extension NSEntityDescription {
  /// The indexes that stores create: the entity's own, and those that older models declare in other ways.
  ///
  /// An indexed property has an index of its name. The groups of ``compoundIndexes`` are called `compoundIndex`,
  /// `compoundIndex1` and so on. What has an index already gets no second one: newer models say both. Of indexes with one
  /// name the first is made.
  ///
  /// > Reference: stores that Apple's framework made of older models; Xcode, for the names of groups.
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
