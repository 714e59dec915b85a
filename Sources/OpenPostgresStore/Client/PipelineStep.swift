import COpenPostgres

/// A message to the server whose response must be read.
struct PipelineStep {
  /// The index of the statement in the list, or the constant ``fence``.
  let index: Int
  /// The key and the name of the statement to prepare; nil for a statement that is executed.
  let preparing: (key: PreparedKey, name: String)?
  var isQuery: Bool { preparing == nil }

  static let fence = -1
}

/// What a prepared statement depends on.
struct PreparedKey: Hashable {
  let text: String
  let types: [Oid]
}
