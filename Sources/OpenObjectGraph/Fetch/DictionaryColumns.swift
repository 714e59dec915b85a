internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The columns of a fetch of dictionaries, and the conversion of their values to dictionaries.
struct DictionaryColumns {
  let request: ProjectionRequest
  /// The column names, shared by all dictionaries; hidden columns have no name.
  let keys: KnownKeys
  /// The entity of the objects in each column, as far as the model determines it; nil for values.
  private let objects: [CompiledEntity?]
  /// The hidden column with the entity numbers of the fetched objects; nil if no column needs it.
  private let entityColumn: Int?
  private let model: CompiledModel
  /// The store whose results are read.
  var store: NSPersistentStore?

  init<Result>(_ fetch: NSFetchRequest<Result>, _ entity: CompiledEntity) throws {
    model = entity.model
    var columns: [ProjectionRequest.Column] = []
    for property in fetch.propertiesToFetch ?? Self.allAttributes(of: entity) {
      columns.append(try Self.column(property, entity))
    }
    guard !columns.isEmpty else {
      throw CocoaError.make(.coreData, "A fetch of dictionaries needs properties to fetch.")
    }
    keys = KnownKeys(columns.map(\.name))
    objects = try columns.map { try Self.object($0.node, entity) }
    let groups = try (fetch.propertiesToGroupBy ?? []).map { try Self.column($0, entity).node }
    let needsEntity =
      entity.subtree.count > 1 && columns.contains { $0.node == .evaluatedObject }
    entityColumn = needsEntity ? columns.count : nil
    request = ProjectionRequest(
      columns: columns, groups: groups, isDistinct: fetch.returnsDistinctResults,
      hasEntityNumber: needsEntity)
  }

  private static func allAttributes(of entity: CompiledEntity) -> [Any] {
    entity.properties.filter { $0.attribute != nil && !$0.isTransient && !$0.isElement }
      .map(\.name)
  }

  private static func column(
    _ property: Any, _ entity: CompiledEntity
  ) throws -> ProjectionRequest.Column {
    switch property {
    case let name as String:
      guard !name.isEmpty else {
        throw CocoaError.make(.coreData, "A property to fetch needs a name.")
      }
      return column(named: name)
    case let description as NSExpressionDescription:
      guard let expression = description.expression else {
        throw CocoaError.make(
          .coreData, "The expression description \(description.name) has no expression.")
      }
      let type = AttributeType(rawValue: description.resultType.rawValue)
      return ProjectionRequest.Column(
        name: description.name, node: expression.node, type: type == .undefined ? nil : type,
        isExpression: true)
    case let description as NSPropertyDescription: return column(named: description.name)
    default:
      throw CocoaError.make(
        .coreData,
        "Invalid property to fetch (\(type(of: property))); pass a name or a property description.")
    }
  }

  private static func column(named name: String) -> ProjectionRequest.Column {
    let node: ExpressionNode =
      name == "objectID" || name == "self"
      ? .evaluatedObject : .keyPath(name.split(separator: ".").map(String.init))
    return ProjectionRequest.Column(name: name, node: node, type: nil, isExpression: false)
  }

  /// The entity of a column of objects; nil for other columns.
  private static func object(
    _ node: ExpressionNode, _ entity: CompiledEntity
  ) throws -> CompiledEntity? {
    if node == .evaluatedObject { return entity }
    guard case .keyPath(let segments) = node, !segments.contains(where: { $0.hasPrefix("@") }),
      case .property(let path, let property)? = try? PathResolver(entity: entity).resolve(segments)
    else { return nil }
    guard let property else { return path.reachedEntity(in: entity.model) }
    return property.relationship.map { entity.model.entities[$0.destinationIndex] }
  }

  // MARK: Results

  /// Converts the stored value of a column to the value that the application receives.
  ///
  /// - Parameters:
  ///   - index: The position of the column.
  ///   - values: The values of the columns of consecutive results.
  ///   - start: The position of the result's first value.
  /// - Returns: The value; nil for null.
  func value(_ index: Int, _ values: [Value], from start: Int) -> Any? {
    let value = values[start + index]
    guard let entity = objects[index] else { return value.anyValue }
    guard case .object(let reference) = value, let store else { return nil }
    var actual = entity
    if let entityColumn, request.columns[index].node == .evaluatedObject,
      case .int(let number) = values[start + entityColumn],
      let position = model.entityIndex(numbered: number)
    {
      actual = model.entities[position]
    }
    return NSManagedObjectID(store: store, entity: actual, key: reference.key)
  }
}
