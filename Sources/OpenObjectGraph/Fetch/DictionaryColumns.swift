internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The columns of a fetch of dictionaries, and the conversion of their values to dictionaries.
///
/// A composite attribute is one entry of a dictionary, but several columns: its first element has
/// the position of the entry, and the other elements are after the columns of all entries.
struct DictionaryColumns {
  let request: ProjectionRequest
  /// The names of the entries, shared by all dictionaries; the other columns have no entry.
  let keys: KnownKeys
  /// The form of the values in each column.
  private let forms: [Form]
  /// The transformable attributes, by the position of their column.
  private let transformables: [Int: TransformableColumn]
  /// The composite attributes, by the position of their entry.
  private let composites: [Int: (attribute: CompositeColumn, positions: [Int])]
  private let model: CompiledModel
  /// The store whose results are read.
  var store: NSPersistentStore?

  /// The form of the values in a column.
  private enum Form {
    case value
    /// Objects of an entity or of its subentities. If the entity has subentities, a hidden column
    /// contains the entity numbers of the objects.
    case object(CompiledEntity, entityColumn: Int?)
    /// Bytes that the transformer of an attribute decodes.
    case transformed
  }

  /// Creates the columns of a request.
  ///
  /// - Parameter sortCount: The number of sort descriptors if the results of several stores are
  ///   sorted; 0 if one store sorts the results.
  init<Result>(
    _ fetch: NSFetchRequest<Result>, _ entity: CompiledEntity, sortCount: Int
  ) throws {
    model = entity.model
    var columns: [ProjectionRequest.Column] = []
    for property in fetch.propertiesToFetch ?? Self.allAttributes(of: entity) {
      columns.append(try Self.column(property, entity))
    }
    guard !columns.isEmpty else {
      throw CocoaError.make(.coreData, "A fetch of dictionaries requires properties to fetch.")
    }
    keys = KnownKeys(columns.map(\.name))
    composites = Self.expandComposites(in: &columns, entity)
    var objects: [PropertyPath] = []
    forms = columns.map { Self.form(of: $0, entity, hiddenColumnsFrom: columns.count, &objects) }
    var transformables: [Int: TransformableColumn] = [:]
    for (position, column) in columns.enumerated() {
      transformables[position] = Self.transformable(column, entity)
    }
    self.transformables = transformables
    var groups: [ExpressionNode] = []
    for property in fetch.propertiesToGroupBy ?? [] {
      let column = try Self.column(property, entity)
      groups += Self.composite(column, entity)?.columns.map(\.node) ?? [column.node]
    }
    request = ProjectionRequest(
      columns: columns, groups: groups, isDistinct: fetch.returnsDistinctResults,
      entityNumbersOf: objects, sortCount: sortCount)
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
        throw CocoaError.make(.coreData, "A property to fetch must have a name.")
      }
      return column(named: name)
    case let description as NSExpressionDescription:
      guard let expression = description.expression else {
        return try column(description.name, entity)
      }
      if let error = expression.formatError { throw error }
      let type = AttributeType(rawValue: description.resultType.rawValue)
      return ProjectionRequest.Column(
        name: description.name, node: expression.node, type: type == .undefined ? nil : type,
        isExpression: true)
    case let description as NSPropertyDescription: return column(named: description.name)
    default:
      throw CocoaError.make(
        .coreData,
        "Invalid property to fetch (\(type(of: property))). Use a name or a property description.")
    }
  }

  private static func column(named name: String) -> ProjectionRequest.Column {
    let node: ExpressionNode =
      name == "objectID" || name == "self"
      ? .evaluatedObject : .keyPath(name.split(separator: ".").map(String.init))
    return ProjectionRequest.Column(name: name, node: node, type: nil, isExpression: false)
  }

  // MARK: Composite and transformable attributes

  /// The composite attribute of a column; nil for other columns.
  private static func composite(
    _ column: ProjectionRequest.Column, _ entity: CompiledEntity
  ) -> CompositeColumn? {
    guard !column.isExpression, case .keyPath(let segments) = column.node else { return nil }
    return PathResolver(entity: entity).composite(segments)
  }

  /// Replaces each column of a composite attribute with the columns of its elements.
  private static func expandComposites(
    in columns: inout [ProjectionRequest.Column], _ entity: CompiledEntity
  ) -> [Int: (attribute: CompositeColumn, positions: [Int])] {
    var composites: [Int: (attribute: CompositeColumn, positions: [Int])] = [:]
    for position in columns.indices {
      guard let composite = composite(columns[position], entity) else { continue }
      let others = composite.columns.dropFirst()
      let positions = [position] + Array(columns.count..<columns.count + others.count)
      composites[position] = (composite, positions)
      columns[position] = composite.columns[0]
      columns += others
    }
    return composites
  }

  /// The form of the values in a column.
  ///
  /// - Parameters:
  ///   - first: The position of the first hidden column.
  ///   - objects: The paths to the objects of the hidden columns so far.
  private static func form(
    of column: ProjectionRequest.Column, _ entity: CompiledEntity, hiddenColumnsFrom first: Int,
    _ objects: inout [PropertyPath]
  ) -> Form {
    guard let (path, reached) = object(column.node, entity) else {
      return transformable(column, entity) == nil ? .value : .transformed
    }
    guard reached.subtree.count > 1 else { return .object(reached, entityColumn: nil) }
    objects.append(path)
    return .object(reached, entityColumn: first + objects.count - 1)
  }

  /// The transformable attribute of a column; nil for other columns, and for an expression whose
  /// description has another type.
  private static func transformable(
    _ column: ProjectionRequest.Column, _ entity: CompiledEntity
  ) -> TransformableColumn? {
    guard column.type == nil || column.type == .transformable,
      let (path, last) = pathEnd(of: column.node, entity), let property = last,
      property.attribute?.type == .transformable
    else { return nil }
    return TransformableColumn(property: property, entity: path.reachedEntity(in: entity.model))
  }

  /// The path to the objects of a column, and their entity; nil for other columns.
  private static func object(
    _ node: ExpressionNode, _ entity: CompiledEntity
  ) -> (path: PropertyPath, entity: CompiledEntity)? {
    if node == .evaluatedObject {
      return (PropertyPath(entityIndex: entity.index, end: .object), entity)
    }
    guard let (end, last) = pathEnd(of: node, entity) else { return nil }
    var path = end
    if let property = last {
      guard property.relationship != nil else { return nil }
      path.steps.append(property.ordinal)
      path.end = .object
    }
    return (path, path.reachedEntity(in: entity.model))
  }

  /// The path of a column that is a key path, and the property at its end, which is nil for an
  /// object; nil for other columns.
  private static func pathEnd(
    of node: ExpressionNode, _ entity: CompiledEntity
  ) -> (PropertyPath, CompiledProperty?)? {
    // The planner throws the error of a key path that the model does not have.
    guard case .keyPath(let segments) = node, !segments.contains(where: { $0.hasPrefix("@") }),
      case .property(let path, let property)? = try? PathResolver(entity: entity).resolve(segments)
    else { return nil }
    return (path, property)
  }

  // MARK: Results

  /// Returns whether the application receives the stored values of a column, or the objects to
  /// which they refer.
  func isStored(_ index: Int) -> Bool {
    if case .transformed = forms[index] { return false }
    return composites[index] == nil
  }

  /// Returns the values of the transformable attributes in consecutive results, by the position of
  /// their column.
  ///
  /// - Throws: `StoreError` for a value that cannot be decoded.
  func decoded(_ values: [Value]) throws(StoreError) -> [Int: [Any?]] {
    var decoded: [Int: [Any?]] = [:]
    for (position, column) in transformables {
      var contents: [Any?] = []
      for index in stride(from: position, to: values.count, by: request.width) {
        contents.append(try column.value(values[index]))
      }
      decoded[position] = contents
    }
    return decoded
  }

  /// Returns a stored value that differs from the values of other stores if it is an object.
  func inStore(_ value: Value) -> Value {
    guard case .object(var reference) = value, let store else { return value }
    reference.storeToken = store.token
    return .object(reference)
  }

  /// Returns the value of an entry as the application receives it.
  ///
  /// - Parameters:
  ///   - index: The position of the entry.
  ///   - row: The position of the result.
  ///   - rows: The results that contain the stored values.
  /// - Returns: The value; nil for null.
  func value(_ index: Int, of row: Int, in rows: ResultRows) -> Any? {
    if !composites.isEmpty, let (attribute, positions) = composites[index] {
      return attribute.value { content(of: positions[$0], row, rows) }
    }
    return content(of: index, row, rows)
  }

  /// Returns the value of a column as the application receives it.
  private func content(of index: Int, _ row: Int, _ rows: ResultRows) -> Any? {
    var actual: CompiledEntity
    let entityColumn: Int?
    switch forms[index] {
    case .value: return rows.stored(index, of: row).anyValue
    case .transformed: return rows.decoded(index, of: row)
    case .object(let known, let column): (actual, entityColumn) = (known, column)
    }
    guard case .object(let reference) = rows.stored(index, of: row), let store else { return nil }
    if let entityColumn, case .int(let number) = rows.stored(entityColumn, of: row),
      let position = model.entityIndex(numbered: number)
    {
      actual = model.entities[position]
    }
    return NSManagedObjectID(store: store, entity: actual, key: reference.key)
  }
}

/// A column with the archived values of a transformable attribute.
struct TransformableColumn {
  let property: CompiledProperty
  let entity: CompiledEntity

  /// Decodes a stored value.
  ///
  /// - Returns: The value; nil for null.
  /// - Throws: `StoreError` with the names of the entity and the attribute for bytes that cannot be
  ///   decoded.
  func value(_ stored: Value) throws(StoreError) -> Any? {
    guard case .data(let data) = stored else { return nil }
    do throws(ModelError) {
      return try AttributeTransform.value(from: data, property, of: entity)
    } catch {
      throw StoreError(
        .unsupportedPredicate,
        "\(error.message) Make the attribute's transformer or class available, or fetch other properties.",
        entityName: entity.name, propertyName: property.name, underlying: error)
    }
  }
}
