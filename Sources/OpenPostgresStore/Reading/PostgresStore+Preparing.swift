import OpenObjectModel
import OpenPredicates
import OpenSQLCore
import OpenStoreContract
import Synchronization

extension PostgresStore {
  /// Returns the statement for a plan, with its values bound.
  func command(
    for plan: FetchPlan, _ result: FetchLowering.Result
  ) throws(StoreError) -> PostgresCommand {
    let forms = forms(of: plan)
    let key = StatementKey.plan(plan.shape.identity, result, forms)
    let rendered = try kept(key) { () throws(StoreError) in
      try fetches.statement(for: plan.shape, result: result, lists: forms)
    }
    return bind(plan, to: rendered)
  }

  /// Returns the form of each list that a plan refers to, by its index in the bindings.
  func forms(of plan: FetchPlan) -> [Int: ListForm] {
    var forms: [Int: ListForm] = [:]
    for list in plan.shape.listPositions {
      forms[list] = ListForm.members(of: plan.binding(list)).isEmpty ? .empty : .array
    }
    return forms
  }

  /// Returns the statement for the rows of an entity and its subentities whose keys are bound as an
  /// array.
  func rowsText(of entity: CompiledEntity) -> String {
    kept(.rows(entity.subtree)) { fetches.rows(of: entity.subtree, keys: .array) }.text
  }

  /// Returns the statement for the destinations of sources whose keys are bound as an array.
  func destinationsText(_ storage: ToManyStorage, _ destination: CompiledEntity) -> String {
    kept(.destinations(storage, destination.index)) {
      fetches.destinations(of: storage, destination: destination, sources: .array)
    }.text
  }

  private func kept<Failure: Error>(
    _ key: StatementKey, _ make: () throws(Failure) -> RenderedSQL
  ) throws(Failure) -> RenderedSQL {
    if let known = statements.withLock({ $0[key] }) { return known }
    let new = try make()
    statements.withLock { statements in
      if statements.count >= Self.greatestStatementCount { statements = [:] }
      statements[key] = new
    }
    return new
  }

  private static let greatestStatementCount = 500

  /// Returns a statement with the bound values of a plan.
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
    PostgresValue.array(
      of: target == .untyped ? .bigint : PostgresValue.type(of: target),
      ListForm.members(of: list).map(target.content))
  }
}
