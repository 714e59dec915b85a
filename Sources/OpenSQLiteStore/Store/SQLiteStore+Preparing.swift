import COpenSQLite
import Foundation
import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract

extension SQLiteStore {
  /// The statement for a plan with the plan's values bound; it is compiled once for a shape.
  @inline(__always)
  func prepare(
    _ plan: FetchPlan, _ result: FetchLowering.Result, on connection: Connection
  ) throws(StoreError) -> PreparedFetch {
    let key = FetchCache.Key(shape: plan.shape.identity, variant: result.rawValue)
    var fetch: PreparedFetch
    if let known = connection.fetches.fetch(key), known.lists.isEmpty {
      fetch = known
    } else {
      fetch = try compile(plan, result, key, on: connection)
    }
    try makeReady(fetch, for: plan, on: connection)
    return fetch
  }

  /// Binds a plan's values to its statement, which is about to run.
  @inline(__always)
  func makeReady(
    _ fetch: PreparedFetch, for plan: FetchPlan, on connection: Connection
  ) throws(StoreError) {
    let code = bind(plan, to: fetch, in: &connection.arena)
    guard code == SQLITE_OK else {
      throw connection.error(code, statement: fetch.statement.sql)
    }
    connection.observe(fetch.statement.sql)
  }

  /// Finds or makes the statement for the forms that the plan's lists have.
  private func compile(
    _ plan: FetchPlan, _ result: FetchLowering.Result, _ base: FetchCache.Key,
    on connection: Connection
  ) throws(StoreError) -> PreparedFetch {
    let lists = plan.shape.listPositions
    var forms: [Int: ListForm] = [:]
    var key = base
    for (position, list) in lists.enumerated() {
      let form = try form(of: list, in: plan, on: connection)
      forms[list] = form
      key.variant |= form.code << UInt64(2 + 5 * min(position, 11))
    }
    // Beyond 11 lists the key no longer tells all forms apart.
    let isKept = lists.count <= 11
    if isKept, !lists.isEmpty, let known = connection.fetches.fetch(key) { return known }
    let rendered = try fetches.statement(for: plan.shape, result: result, lists: forms)
    let fetch = PreparedFetch(
      try connection.prepare(rendered.text), parameters: rendered.parameters,
      rowPlan: result == .rows ? rowPlan(of: plan.shape.entityIndexes, on: connection) : nil,
      lists: lists)
    if isKept { connection.fetches.insert(fetch, for: key) }
    return fetch
  }

  /// How a list of a plan stands in the statement: as a table where its elements are looked up.
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

  /// What a shape looks up in a list, if the file has an index for it.
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
    _ plan: FetchPlan, to fetch: PreparedFetch, in arena: inout BindingArena
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
          (lastList, members) = (list, ListForm.members(of: value(list, of: plan)))
        }
        content = Self.member(position, of: members, target)
      } else if case .table(let list) = parameter {
        guard case .list(let values) = value(list, of: plan) else { return SQLITE_MISUSE }
        let code = BoundList.bind(values, to: fetch.statement, at: index, in: &arena)
        if code != SQLITE_OK { return code }
        continue
      } else {
        content = self.content(of: parameter, plan)
      }
      let code = fetch.statement.bind(content, at: index, arena: &arena)
      if code != SQLITE_OK { return code }
    }
    return SQLITE_OK
  }

  /// What a plan binds to a parameter.
  func content(of parameter: SQLParameter, _ plan: FetchPlan) -> SlotContent {
    switch parameter {
    case .limit: return .integer(Int64(plan.limit))
    case .offset: return .integer(Int64(plan.offset))
    case .candidates: return .integer(Int64(plan.candidateLimit))
    case .taggedJSON(let list): return .text(ListForm.taggedJSON(of: value(list, of: plan)))
    case .json(let list), .table(let list): return .text(ListForm.json(of: value(list, of: plan)))
    case .prefixEnd(let position): return TextRange.end(of: value(position, of: plan))
    case .value(let position, let target): return target.content(of: value(position, of: plan))
    case .member(let list, let position, let target):
      return Self.member(position, of: ListForm.members(of: value(list, of: plan)), target)
    case .words(let position, let columns):
      return .text(Self.query(value(position, of: plan)).expression(columns: columns))
    case .relevance(let columns):
      return .text((plan.textQuery ?? "").expression(columns: columns))
    case .caller: return .null
    }
  }

  /// The text query that a binding is; what is no text looks for nothing.
  private static func query(_ value: Value) -> TextQuery {
    guard case .string(let text) = value else { return "" }
    return TextQuery.reading(text)
  }

  /// An element of a list, the last one repeated behind the end.
  private static func member(
    _ position: Int, of members: [Value], _ target: SQLTarget
  ) -> SlotContent {
    guard let last = members.last else { return .null }
    return target.content(of: position < members.count ? members[position] : last)
  }

  private func value(_ position: Int, of plan: FetchPlan) -> Value {
    plan.bindings.indices.contains(position) ? plan.bindings[position] : .null
  }
}

extension FetchPlan {
  /// The form of a list that the filter refers to, by its position in the bindings.
  func form(ofList list: Int) -> ListForm {
    bindings.indices.contains(list) ? ListForm(bindings[list]) : .empty
  }
}
