import OpenPredicates
import OpenStoreContract

/// Checks of functions of operands.
extension StoreConformance {
  static let functionChecks: [Check] = [
    Check("results of arithmetic are compared as in SQL") { trial in
      _ = try Town(in: trial)
      let cases: [(String, Value, Value, [String])] = [
        ("add:to:", .int(4), .int(40), ["Ada", "Eve"]),
        ("from:subtract:", .int(1), .int(40), ["Bob"]),
        ("multiply:by:", .int(2), .int(-10), ["Dan"]),
        ("multiply:by:", .double(0.5), .double(20.5), ["Bob"]),
        ("divide:by:", .int(5), .int(8), ["Bob"]),
        ("divide:by:", .double(8), .double(4.5), ["Ada", "Eve"]),
        ("modulus:by:", .int(5), .int(1), ["Ada", "Bob", "Eve"]),
      ]
      for (name, operand, result, names) in cases {
        let function = Operand.function(name, [try trial.operand("Person.age"), .binding(0)])
        try trial.expectNames(
          Query("Person", .comparison(function, .equal, .binding(1), []), [operand, result]),
          names, "\(name) age and \(operand) = \(result)")
      }
    },
    Check("division by zero and arithmetic with null are null") { trial in
      _ = try Town(in: trial)
      let age = try trial.operand("Person.age")
      let quotient = Filter.isNull(.function("divide:by:", [age, .binding(0)]))
      try trial.expectNames(
        Query("Person", quotient, [.int(0)]), everybody + ["Cyd"], "age / 0 is null")
      let sum = Filter.isNull(.function("add:to:", [age, .binding(0)]))
      try trial.expectNames(Query("Person", sum, [.int(1)]), ["Cyd"], "age + 1 is null")
    },
    Check("results of abs: and of string functions can be compared") { trial in
      _ = try Town(in: trial)
      let cases: [(String, String, Value, [String])] = [
        ("abs:", "age", .int(5), ["Dan"]), ("length:", "name", .int(3), everybody + ["Cyd"]),
        ("uppercase:", "name", .string("ADA"), ["Ada"]),
        ("lowercase:", "name", .string("eve"), ["Eve"]),
        ("canonical:", "name", .string("bob"), ["Bob"]),
      ]
      for (name, property, result, names) in cases {
        let function = Operand.function(name, [try trial.operand("Person.\(property)")])
        try trial.expectNames(
          Query("Person", .comparison(function, .equal, .binding(0), []), [result]), names,
          "\(name) \(property) = \(result)")
      }
    },
    Check("string functions support non-ASCII characters") { trial in
      try trial.insert("Person", ["Éva", "éva", "Эва"].map { NewObject(["name": .string($0)]) })
      let cases: [(String, String, [String])] = [
        ("uppercase:", "ÉVA", ["Éva", "éva"]), ("lowercase:", "эва", ["Эва"]),
        ("canonical:", "eva", ["Éva", "éva"]),
      ]
      for (name, result, names) in cases {
        let function = Operand.function(name, [try trial.operand("Person.name")])
        try trial.expectNames(
          Query("Person", .comparison(function, .equal, .binding(0), []), [.string(result)]),
          names, "\(name) name = \(result)")
      }
    },
  ]
}
