import COpenSQLite
import COpenSupport
import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract

/// A list of values in the form of a table that a statement reads.
enum BoundList {
  /// The minimum number of values for which a table is faster than placeholders.
  static let worthwhile = 16

  /// Returns whether all values have the type of a column, so that SQLite compares them without
  /// conversion.
  static func canHold(_ values: [Value], as column: SlotColumn?) -> Bool {
    switch column?.target {
    case .slot(.text): values.allSatisfy { if case .string = $0 { true } else { false } }
    case .slot(.integer): values.allSatisfy { if case .int = $0 { true } else { false } }
    default: false
    }
  }

  /// Binds values, which must be all texts or all integers, in SQLite's order and without
  /// duplicates.
  ///
  /// - Parameter arena: The memory that holds the values until the statement is reset.
  /// - Returns: SQLite's result code.
  static func bind(
    _ values: [Value], to statement: Statement, at index: Int32, in arena: inout BindingArena
  ) -> Int32 {
    if case .int? = values.first {
      let integers = values.compactMap { if case .int(let integer) = $0 { integer } else { nil } }
      return bind(integers.sortedAndUnique, to: statement, at: index, in: &arena)
    }
    var list = ocd_list()
    if let texts = texts(values, in: &arena).baseAddress {
      (list.texts, list.count) = (UnsafePointer(texts), ocd_sort_texts(texts, values.count))
    }
    return bind(list, to: statement, at: index, in: &arena)
  }

  /// Binds integers in their given order.
  ///
  /// - Parameter arena: The memory that holds the values until the statement is reset.
  /// - Returns: SQLite's result code.
  static func bind(
    _ integers: some Collection<Int64>, to statement: Statement, at index: Int32,
    in arena: inout BindingArena
  ) -> Int32 {
    let room = arena.room(for: integers.count, Int64.self)
    _ = room.initialize(from: integers)
    let list = ocd_list(count: room.count, integers: UnsafePointer(room.baseAddress), texts: nil)
    return bind(list, to: statement, at: index, in: &arena)
  }

  private static func bind(
    _ list: ocd_list, to statement: Statement, at index: Int32, in arena: inout BindingArena
  ) -> Int32 {
    let bound = arena.room(for: 1, ocd_list.self)
    bound.initialize(repeating: list)
    return ocd_bind_list(statement.pointer, index, bound.baseAddress)
  }

  private static func texts(
    _ values: [Value], in arena: inout BindingArena
  ) -> UnsafeMutableBufferPointer<ocd_text> {
    let texts = arena.room(for: values.count, ocd_text.self)
    for (index, value) in values.enumerated() {
      guard case .string(var text) = value else { continue }
      let bytes = text.withUTF8 { arena.copy(UnsafeRawBufferPointer($0)) }
      texts[index] = ocd_text(
        bytes: bytes.baseAddress?.assumingMemoryBound(to: CChar.self), length: bytes.count,
        first_bytes: 0)
    }
    return texts
  }
}

extension [Int64] {
  /// The elements in ascending order, without duplicates.
  var sortedAndUnique: [Int64] {
    let isDone = zip(self, dropFirst()).allSatisfy { $0 < $1 }
    return isDone ? self : Set(self).sorted()
  }
}

extension Connection {
  /// Returns whether SQLite can find texts and numbers in a column by an index.
  func hasIndex(on column: String, of table: String) throws(StoreError) -> Bool {
    let count = try silently { () throws(StoreError) in
      try integer(
        """
        SELECT count(*) FROM pragma_index_list(?) AS listed, pragma_index_xinfo(listed.name) AS part \
        WHERE NOT listed.partial AND part.seqno = 0 AND part.name = ? AND part.coll = 'BINARY'
        """, [.text(table), .text(column)])
    }
    return count != 0
  }
}

extension Connection {
  /// Binds integers as a list, in their given order. The connection's arena holds the integers.
  func bind(
    list integers: some Collection<Int64>, to statement: Statement, at index: Int32
  ) throws(StoreError) {
    let code = BoundList.bind(integers, to: statement, at: index, in: &arena)
    guard code == SQLITE_OK else { throw error(code, statement: statement.sql) }
  }
}
