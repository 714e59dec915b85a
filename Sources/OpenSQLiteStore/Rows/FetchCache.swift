import OpenSQLCore
import OpenStoreContract

/// A prepared statement for a fetch shape, with everything that does not depend on bound values.
final class CompiledFetch {
  let statement: Statement
  let parameters: [SQLParameter]
  /// The layout of packed rows; nil for statements that return other results.
  let rowPlan: RowPlan?
  /// The indexes of the lists that the filter refers to.
  let lists: [Int]
  /// The number of bytes of all rows when the statement last ran.
  @exclusivity(unchecked) var lastByteCount = 0

  init(
    _ statement: Statement, parameters: [SQLParameter] = [], rowPlan: RowPlan? = nil,
    lists: [Int] = []
  ) {
    self.statement = statement
    self.parameters = parameters
    self.rowPlan = rowPlan
    self.lists = lists
  }
}

/// The prepared fetches of a connection. The most recently used fetch is found without hashing.
struct FetchCache {
  /// A fetch shape, its kind of result, and the forms of its lists.
  struct Key: Hashable {
    var shape: UInt64
    var variant: UInt64
  }

  private var lastKey = Key(shape: 0, variant: 0)
  private var last: CompiledFetch?
  private var fetches: [Key: CompiledFetch] = [:]
  /// The statements for rows by key.
  var rowsByKey: [RowsKey: CompiledFetch] = [:]
  /// The statements that find keys in a table.
  var keyLookUps: [KeyLookUp: Statement] = [:]
  var rowPlans: [Range<Int>: RowPlan] = [:]
  /// How shapes with lists find the elements of a list; nil if they do not, or if the file has no
  /// index for it.
  private(set) var lookUps: [UInt64: ListLookUp?] = [:]
  private static let limit = 500

  /// The entities and the form of the keys of a fetch by key.
  struct RowsKey: Hashable {
    var first: Int
    var end: Int
    var keys: FetchLowering.KeyForm
  }

  @inline(__always)
  mutating func fetch(_ key: Key) -> CompiledFetch? {
    if key == lastKey, let last { return last }
    guard let found = fetches[key] else { return nil }
    lastKey = key
    last = found
    return found
  }

  mutating func insert(_ fetch: CompiledFetch, for key: Key) {
    if fetches.count >= Self.limit { fetches.removeAll() }
    fetches[key] = fetch
    lastKey = key
    last = fetch
  }

  mutating func insert(_ lookUp: ListLookUp?, for shape: UInt64) {
    if lookUps.count >= Self.limit { lookUps.removeAll() }
    lookUps[shape] = .some(lookUp)
  }
}
