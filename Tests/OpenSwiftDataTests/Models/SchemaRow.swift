import OpenSwiftData

/// A row of a model's schema, read with a mirror as in applications.
struct SchemaRow {
  let name: String
  let defaultValue: Any?
  let metadata: (any SchemaProperty)?

  /// The rows of a model, in order.
  static func all<Model: PersistentModel>(of type: Model.Type) -> [SchemaRow] {
    type.schemaMetadata.map { row in
      let children = Mirror(reflecting: row).children
      func value(_ label: String) -> Any? { children.first { $0.label == label }?.value }
      return SchemaRow(
        name: value("name") as? String ?? "",
        defaultValue: value("defaultValue").flatMap {
          Mirror(reflecting: $0).children.first?.value
        },
        metadata: value("metadata") as? any SchemaProperty)
    }
  }

  /// The names of a model's rows, in order.
  static func names<Model: PersistentModel>(of type: Model.Type) -> [String] {
    all(of: type).map(\.name)
  }
}
