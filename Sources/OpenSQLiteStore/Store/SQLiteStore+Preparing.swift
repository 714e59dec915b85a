import COpenSQLite
import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract

extension SQLiteStore {
  /// Returns the statement for a plan with bound values. The statement is compiled once for each
  /// shape.
  @inline(__always)
  func prepare(
    _ plan: FetchPlan, _ result: FetchLowering.Result, on connection: Connection
  ) throws(StoreError) -> CompiledFetch {
    let key = FetchCache.Key(shape: plan.shape.identity, variant: result.rawValue)
    var fetch: CompiledFetch
    if let known = connection.fetches.fetch(key), known.lists.isEmpty {
      fetch = known
    } else {
      fetch = try compile(plan, result, key, on: connection)
    }
    try makeReady(fetch, for: plan, on: connection)
    return fetch
  }

  /// Binds a plan's values to its statement before it runs.
  @inline(__always)
  func makeReady(
    _ fetch: CompiledFetch, for plan: FetchPlan, on connection: Connection
  ) throws(StoreError) {
    let code = bind(plan, to: fetch, in: &connection.arena)
    guard code == SQLITE_OK else {
      throw connection.error(code, statement: fetch.statement.sql)
    }
    connection.observe(fetch.statement.sql)
  }

  /// Returns the statement for the forms of the plan's lists, and compiles it if necessary.
  private func compile(
    _ plan: FetchPlan, _ result: FetchLowering.Result, _ base: FetchCache.Key,
    on connection: Connection
  ) throws(StoreError) -> CompiledFetch {
    let lists = plan.shape.listPositions
    var forms: [Int: ListForm] = [:]
    var key = base
    for (position, list) in lists.enumerated() {
      let form = try form(of: list, in: plan, on: connection)
      forms[list] = form
      key.variant |= form.code << UInt64(2 + 5 * min(position, 11))
    }
    // With more than 11 lists, the key no longer identifies all forms.
    let isKept = lists.count <= 11
    if isKept, !lists.isEmpty, let known = connection.fetches.fetch(key) { return known }
    let rendered = try fetches.statement(for: plan.shape, result: result, lists: forms)
    let fetch = CompiledFetch(
      try connection.prepare(rendered.text), parameters: rendered.parameters,
      rowPlan: result == .rows ? rowPlan(of: plan.shape.entityIndexes, on: connection) : nil,
      lists: lists)
    if isKept { connection.fetches.insert(fetch, for: key) }
    return fetch
  }

  /// Returns the form of a plan's list in the statement: a table if the list's elements are found
  /// by an index.
  private func form(
    of list: Int, in plan: FetchPlan, on connection: Connection
  ) throws(StoreError) -> ListForm {
    guard plan.bindings.indices.contains(list), case .list(let members) = plan.bindings[list],
      members.count >= BoundList.worthwhile, !connection.showsValues,
      let lookUp = try lookUp(in: plan.shape, on: connection), lookUp.list == list,
      BoundList.canHold(
        members, as: schema.entities[plan.shape.entity.index].column(lookUp.ordinal))
    else { return plan.form(ofList: list) }
    return .table
  }

  /// Returns how a shape finds the elements of a list, or nil if the file has no index for it.
  private func lookUp(
    in shape: FetchShape, on connection: Connection
  ) throws(StoreError) -> ListLookUp? {
    if let known = connection.fetches.lookUps[shape.identity] { return known }
    let map = schema.entities[shape.entity.index]
    var lookUp = shape.lookUp
    if let ordinal = lookUp?.ordinal, let column = map.column(ordinal),
      try !connection.hasIndex(on: column.name, of: map.table)
    {
      lookUp = nil
    }
    connection.fetches.insert(lookUp, for: shape.identity)
    return lookUp
  }

  func rowPlan(of indexes: Range<Int>, on connection: Connection) -> RowPlan {
    if let known = connection.fetches.rowPlans[indexes] { return known }
    let folder = connection.path.map { StoreFiles(URL(fileURLWithPath: $0)).externalFolder.path }
    let new = RowPlan(
      schema.rowColumns(of: indexes), schema: schema, externalFolder: folder)
    connection.fetches.rowPlans[indexes] = new
    return new
  }

  @inline(__always)
  func bind(
    _ plan: FetchPlan, to fetch: CompiledFetch, in arena: inout BindingArena
  ) -> Int32 {
    arena.removeAll()
    var index: Int32 = 0
    var lastList = -1
    var members: [Value] = []
    for parameter in fetch.parameters {
      index += 1
      let content: SlotContent
      if case .value(let position, let target) = parameter {
        content =
          plan.bindings.indices.contains(position)
          ? target.content(of: plan.bindings[position]) : .null
      } else if case .member(let list, let position, let target) = parameter {
        if list != lastList {
          (lastList, members) = (list, ListForm.members(of: plan.binding(list)))
        }
        content = FetchPlan.member(position, of: members, target)
      } else if case .table(let list) = parameter {
        guard case .list(let values) = plan.binding(list) else { return SQLITE_MISUSE }
        let code = BoundList.bind(values, to: fetch.statement, at: index, in: &arena)
        if code != SQLITE_OK { return code }
        continue
      } else {
        content = plan.content(of: parameter)
      }
      let code = fetch.statement.bind(content, at: index, arena: &arena)
      if code != SQLITE_OK { return code }
    }
    return SQLITE_OK
  }
}

extension FetchPlan {
  /// Returns the form of a list that the filter refers to, by its index in the bindings.
  func form(ofList list: Int) -> ListForm {
    bindings.indices.contains(list) ? ListForm(bindings[list]) : .empty
  }
}
