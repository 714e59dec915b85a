/// What is bound to a placeholder.
package enum SQLParameter: Sendable, Hashable {
  /// The plan's binding at a position, as the given target takes it.
  case value(Int, SQLTarget)
  /// An element of the list at a position; the last element repeats behind the end.
  case member(list: Int, index: Int, SQLTarget)
  /// The list at a position, as an array of values for the given target.
  case array(list: Int, SQLTarget)
  /// The list at a position, as a table of values that differ.
  case table(list: Int)
  /// The list at a position, as JSON.
  case json(list: Int)
  /// The list at a position, as JSON of texts that name their type.
  case taggedJSON(list: Int)
  /// The least text greater than every text that begins with the binding at a position.
  case prefixEnd(Int)
  /// The text query at a position in the language of FTS5, in some columns of the index, or in all.
  case words(Int, columns: [String]?)
  /// The plan's own text query in the language of FTS5, likewise.
  case relevance(columns: [String]?)
  /// The plan's limit, offset, or limit of candidates.
  case limit, offset, candidates
  /// Bound by the caller that runs the statement, in the order of these placeholders.
  case caller
  /// An array of keys, bound by the caller likewise.
  case callerKeys
}
