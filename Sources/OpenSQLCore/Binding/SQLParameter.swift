/// The value to bind to a placeholder.
package enum SQLParameter: Sendable, Hashable {
  /// The bound value of the plan at an index, converted for the given target.
  case value(Int, SQLTarget)
  /// An element of the list at an index of the bindings. Beyond the end of the list, the value is
  /// the last element.
  case member(list: Int, index: Int, SQLTarget)
  /// The list at an index of the bindings, as an array of values for the given target.
  case array(list: Int, SQLTarget)
  /// The list at an index of the bindings, as a table of distinct values.
  case table(list: Int)
  /// The list at an index of the bindings, as a JSON array.
  case json(list: Int)
  /// The list at an index of the bindings, as a JSON array of strings that contain their type.
  case taggedJSON(list: Int)
  /// The least string that is greater than every string with a prefix. The prefix is the bound
  /// value at an index.
  case prefixEnd(Int)
  /// The text query at an index of the bindings, as an FTS5 query over the given columns, or over
  /// all columns if the array is nil.
  case words(Int, columns: [String]?)
  /// The text query by which the plan ranks rows, as an FTS5 query over the given columns, or over
  /// all columns if the array is nil.
  case relevance(columns: [String]?)
  /// The plan's limit, its offset, or its maximum number of ranked candidates.
  case limit, offset, candidates
  /// A value that the caller of the statement binds. The caller binds its values in the order of
  /// these placeholders.
  case caller
  /// An array of keys that the caller of the statement binds.
  case callerKeys
  /// A value or an array that the caller of the statement binds, by its number, starting with 1. A
  /// statement can contain a number several times, but no parameters of other kinds.
  case numbered(Int)
}
