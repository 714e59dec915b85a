/// The value to bind to a placeholder.
package enum SQLParameter: Sendable, Hashable {
  /// The value at an index of the plan's bindings, converted for the given target.
  case value(Int, SQLTarget)
  /// The element at position `index` of a list. The value `list` is the list's index in the
  /// bindings. If `index` is beyond the end of the list, the value is the list's last element.
  case member(list: Int, index: Int, SQLTarget)
  /// The list at an index of the bindings, as an array of values for the given target.
  case array(list: Int, SQLTarget)
  /// The list at an index of the bindings, passed as a one-column table without duplicates.
  case table(list: Int)
  /// The list at an index of the bindings, as a JSON array.
  case json(list: Int)
  /// The list at an index of the bindings, as a JSON array with the elements in the form for the
  /// given target. The array contains integers, and strings that begin with a letter for the type.
  case taggedJSON(list: Int, SQLTarget)
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
  /// statement can refer to the same number several times. A parameter of any other kind receives
  /// the greatest number that precedes the parameter in the statement, plus 1.
  ///
  /// Only dialects whose placeholders contain their numbers support this case.
  case numbered(Int)
}
