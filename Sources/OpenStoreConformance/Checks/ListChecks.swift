import OpenPredicates
import OpenStoreContract

/// Checks of membership in lists and ranges.
extension StoreConformance {
  static let listChecks: [Check] =
    [0, 1, 3, 1500].map { count in
      Check("membership in a list of \(count) values") { trial in
        _ = try Town(in: trial)
        let member = Filter.isMember(try trial.operand("Person.serial"), list: 0, [])
        let list = Value.list((0..<count).map { .int(Int64($0) * 2) })
        let isEven = count > 2 ? ["Bob", "Dan"] : []
        let rest = ["Ada", "Bob", "Cyd", "Dan", "Eve"].filter { !isEven.contains($0) }
        try trial.expectNames(Query("Person", member, [list]), isEven, "serial in list")
        try trial.expectNames(Query("Person", .not(member), [list]), rest, "serial not in list")
      }
    } + [
      Check("membership of strings, with and without case sensitivity") { trial in
        _ = try Town(in: trial)
        let name = try trial.operand("Person.name")
        let list = Value.list([.string("ada"), .string("Bob"), .string("x'y")])
        try trial.expectNames(
          Query("Person", .isMember(name, list: 0, []), [list]), ["Bob"], "name in list")
        try trial.expectNames(
          Query("Person", .isMember(name, list: 0, .caseInsensitive), [list]), ["Ada", "Bob"],
          "name in list[c]")
      },
      Check("membership of 1500 strings") { trial in
        _ = try Town(in: trial)
        let member = Filter.isMember(try trial.operand("Person.name"), list: 0, [])
        let list = Value.list((0..<1500).map { .string($0 == 700 ? "Eve" : "none \($0)") })
        try trial.expectNames(Query("Person", member, [list]), ["Eve"], "name in list")
      },
      Check(
        "nulls in a list match nothing, and do not change the result of a negation"
      ) { trial in
        _ = try Town(in: trial)
        let member = Filter.isMember(try trial.operand("Person.age"), list: 0, [])
        let list = Value.list([.int(36), .null])
        try trial.expectNames(Query("Person", member, [list]), ["Ada", "Eve"], "age in list")
        try trial.expectNames(
          Query("Person", .not(member), [list]), ["Bob", "Dan"], "age not in list")
      },
      Check("membership of null is unknown, even for an empty list") { trial in
        _ = try Town(in: trial)
        let member = Filter.not(.isMember(try trial.operand("Person.age"), list: 0, []))
        try trial.expectNames(
          Query("Person", member, [.list([])]), everybody, "age not in an empty list")
      },
      Check("objects and destinations can be members of a list of objects") { trial in
        let town = try Town(in: trial)
        let people = Value.list([
          trial.reference(try town.person("Ada")), trial.reference(try town.person("Dan")),
        ])
        let isOne = Filter.isMember(try trial.operand("Person.SELF"), list: 0, [])
        try trial.expectNames(Query("Person", isOne, [people]), ["Ada", "Dan"], "SELF in list")
        try trial.expectNames(
          Query("Person", .not(isOne), [people]), ["Bob", "Cyd", "Eve"], "SELF not in list")
        let hasMentor = Filter.isMember(try trial.operand("Person.mentor"), list: 0, [])
        try trial.expectNames(
          Query("Person", hasMentor, [people]), ["Bob", "Cyd"], "mentor in list")
      },
      Check("one plan returns the correct result for each list") { trial in
        _ = try Town(in: trial)
        var plan = try trial.plan(
          Query("Person", .isMember(try trial.operand("Person.serial"), list: 0, [])))
        for count in [3, 1, 0, 1500, 2, 5] {
          plan.bindings = [.list((0..<count).map { .int(Int64($0) + 1) })]
          try expect(
            try trial.store.count(matching: plan), equals: min(count, 5), "Members of \(count)")
        }
      },
      Check("BETWEEN includes both bounds, and is unknown if a bound is null") { trial in
        _ = try Town(in: trial)
        let between = Filter.isBetween(
          try trial.operand("Person.age"), .binding(0), .binding(1))
        let cases: [(Value, Value, Filter, [String])] = [
          (.int(36), .int(41), between, ["Ada", "Bob", "Eve"]),
          (.int(-5), .double(36.5), between, ["Ada", "Dan", "Eve"]),
          (.int(41), .int(36), between, []), (.null, .int(36), between, []),
          (.int(37), .int(99), .not(between), ["Ada", "Dan", "Eve"]),
          (.int(40), .null, .not(between), ["Ada", "Dan", "Eve"]),
        ]
        for (lower, upper, filter, names) in cases {
          try trial.expectNames(
            Query("Person", filter, [lower, upper]), names, "\(filter) \(lower) \(upper)")
        }
      },
    ]
}
