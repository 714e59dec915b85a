import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract

/// The indexes that may make a fetch faster: indexes of properties that the fetch compares with
/// constants, sorts by or groups by.
///
/// Only properties of the fetched entity itself are considered, because relationships already have
/// indexes.
struct IndexCandidates {
  private typealias Column = IndexCandidate.Column

  private let entity: EntityMap
  private var equal: [Column] = []
  private var ranges: [Column] = []
  private var order: [Column] = []
  private var groups: [Column] = []

  init(shape: FetchShape, schema: SchemaMap) {
    entity = schema.entities[shape.entity.index]
    if let filter = shape.filter { collect(filter) }
    order = Self.order(of: shape, entity)
    for group in shape.projection?.groups ?? [] {
      guard let column = column(group) else { break }
      groups.append(column)
    }
  }

  /// The candidates, short ones first.
  var all: [IndexCandidate] {
    let lists = [
      equal, Array(ranges.prefix(1)), order, groups, equal + ranges.prefix(1), equal + order,
      equal + groups,
    ]
    var known: Set<[String]> = []
    return
      lists
      .map { Self.unique($0) }
      .filter { !$0.isEmpty && known.insert($0.map { "\($0.name) \($0.isAscending)" }).inserted }
      .sorted { $0.count < $1.count }
      .map { IndexCandidate(table: entity.table, entityName: entity.entity.name, columns: $0) }
  }

  private static func unique(_ columns: [Column]) -> [Column] {
    var names: Set<String> = []
    return columns.filter { names.insert($0.name).inserted }
  }

  // MARK: Conditions

  private mutating func collect(_ filter: Filter) {
    switch filter {
    case .and(let parts): for part in parts { collect(part) }
    case .or(let parts): collect(alternatives: parts)
    case .isTrue(let part): collect(part)
    case .isNull(let operand): append(operand, to: \.equal)
    case .isMember(let operand, _, let options) where !options.folds: append(operand, to: \.equal)
    case .isBetween(let operand, .binding, .binding): append(operand, to: \.ranges)
    case .comparison(let left, let operation, .binding, let options):
      collect(left, operation, options)
    case .comparison(.binding, let operation, let right, let options)
    where operation != .beginsWith:
      collect(right, operation, options)
    default: break
    }
  }

  /// Collects alternatives. Alternatives that compare one property with constants are equivalent to
  /// a list of values.
  private mutating func collect(alternatives: [Filter]) {
    var properties: Set<Operand> = []
    for alternative in alternatives {
      guard case .comparison(let operand, .equal, .binding, let options) = alternative,
        !options.folds
      else { return }
      properties.insert(operand)
    }
    if properties.count == 1, let operand = properties.first { append(operand, to: \.equal) }
  }

  private mutating func collect(
    _ operand: Operand, _ operation: ComparisonOperator, _ options: StringOptions
  ) {
    guard !options.folds else { return }
    switch operation {
    case .equal: append(operand, to: \.equal)
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .beginsWith:
      append(operand, to: \.ranges)
    default: break
    }
  }

  private mutating func append(
    _ operand: Operand, to list: WritableKeyPath<IndexCandidates, [Column]>
  ) {
    if let column = column(operand) { self[keyPath: list].append(column) }
  }

  private func column(_ operand: Operand) -> Column? {
    Self.column(operand, isAscending: true, entity)
  }

  private static func column(
    _ operand: Operand, isAscending: Bool, _ entity: EntityMap
  ) -> Column? {
    guard let property = operand.ownProperty(of: entity.entity), !property.isTransient,
      let column = entity.column(property.ordinal)
    else { return nil }
    return Column(name: column.name, property: property.name, isAscending: isAscending)
  }

  // MARK: Order

  /// Returns the sort keys up to the primary key, which ends every index; empty if one of them is
  /// not a column.
  private static func order(of shape: FetchShape, _ entity: EntityMap) -> [Column] {
    var columns: [Column] = []
    for term in shape.sort {
      if case .property(let path) = term.operand, path.end == .object, path.steps.isEmpty { break }
      let column = column(term.operand, isAscending: term.isAscending, entity)
      guard let column, !term.ordersByCollation(in: shape.entity) else { return [] }
      columns.append(column)
    }
    return columns
  }
}

extension Operand {
  /// Returns the property if the operand is a property of the fetched row itself.
  func ownProperty(of entity: CompiledEntity) -> CompiledProperty? {
    guard case .property(let path) = self, path.steps.isEmpty, path.level == 0,
      case .property(let ordinal) = path.end, entity.properties.indices.contains(ordinal)
    else { return nil }
    return entity.properties[ordinal]
  }
}

extension SortTerm {
  /// Returns whether texts are ordered by a collation rather than by their bytes.
  func ordersByCollation(in entity: CompiledEntity) -> Bool {
    guard collation != .binary, let property = operand.ownProperty(of: entity) else { return false }
    return [.string, .uri].contains(property.attribute?.type)
  }
}

extension StringOptions {
  /// Whether different texts may be equal, which prevents the use of an index.
  var folds: Bool {
    !contains(.normalized) && !isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
  }
}
