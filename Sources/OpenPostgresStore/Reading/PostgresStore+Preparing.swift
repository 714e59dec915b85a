import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract
import Synchronization

extension PostgresStore {
  /// The statement for a plan, with its values bound.
  func command(
    for plan: FetchPlan, _ result: FetchLowering.Result
  ) throws(StoreError) -> PostgresCommand {
    let lists = plan.shape.listPositions
    let empty = lists.filter { ListForm.members(of: plan.binding($0)).isEmpty }
    let key = StatementKey(shape: plan.shape.identity, result: result, emptyLists: empty)
    let rendered: RenderedSQL
    if let known = statements.withLock({ $0[key] }) {
      rendered = known
    } else {
      rendered = try render(plan.shape, result, lists: lists, empty: empty)
      statements.withLock { $0[key] = rendered }
    }
    return bind(plan, to: rendered)
  }

  func render(
    _ shape: FetchShape, _ result: FetchLowering.Result, lists: [Int], empty: [Int]
  ) throws(StoreError) -> RenderedSQL {
    var forms: [Int: ListForm] = [:]
    for list in lists { forms[list] = empty.contains(list) ? .empty : .array }
    return try fetches.statement(for: shape, result: result, lists: forms)
  }

  /// Binds a plan's values to a statement.
  func bind(_ plan: FetchPlan, to rendered: RenderedSQL) -> PostgresCommand {
    PostgresCommand(
      rendered.text,
      rendered.parameters.map { parameter in
        switch parameter {
        case .value(let position, let target):
          PostgresValue(target.content(of: plan.binding(position)), for: target)
        case .array(let list, let target): Self.array(plan.binding(list), for: target)
        default: PostgresValue(plan.content(of: parameter), for: .slot(.text))
        }
      })
  }

  private static func array(_ list: Value, for target: SQLTarget) -> PostgresValue {
    let members = ListForm.members(of: list)
    var type = PostgresValue.type(of: target)
    if target == .untyped { type = .bigint }
    guard type == .numeric else {
      var array = PostgresArray(of: type, count: members.count)
      for member in members { array.append(target.content(of: member)) }
      return array.value
    }
    // Numbers are sent as text: an array's text has no quotes around them.
    let numbers = members.compactMap { member -> String? in
      switch target.content(of: member) {
      case .text(let text): text
      case .integer(let integer): String(integer)
      default: nil
      }
    }
    let text = "{" + numbers.joined(separator: ",") + "}"
    return PostgresValue(type: type.array, bytes: Array(text.utf8), isText: true)
  }
}
