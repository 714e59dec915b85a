import OpenPredicates
import OpenStoreContract

/// Checks of the destinations of to-many relationships, and of changes to them.
extension StoreConformance.Check {
  static let relationships: [Self] = [
    Self("destinations of one-to-many relationships are returned for each source") { trial in
      let town = try Town(in: trial)
      let people = ["Eve", "Ada", "Bob", "Ada"]
      let pupils = try trial.destinations("pupils", of: try people.map { try town.person($0) })
      try expect(
        pupils,
        equals: try [[], ["Bob", "Cyd"], ["Dan"], ["Bob", "Cyd"]].map { try town.set($0) },
        "Pupils of \(people)")
      try expect(
        try trial.destinations("employees", of: [try town.company("Acme")]),
        equals: [try town.set(["Ada", "Bob"])], "Employees of Acme")
    },
    Self("destinations of an inherited relationship are returned") { trial in
      let town = try Town(in: trial)
      try expect(
        try trial.destinations("residents", of: [try town.place("Oslo")]),
        equals: [try town.set(["Ada", "Eve"])], "Residents of a capital")
      try expect(
        try trial.destinations("companies", of: [try town.place("Oslo")]),
        equals: [[try town.company("Cole")]], "Companies of a capital")
    },
    Self("destinations of many-to-many relationships are returned for both sides") { trial in
      let town = try Town(in: trial)
      let tags = try trial.destinations(
        "tags", of: try ["Dan", "Eve", "Ada"].map { try town.person($0) })
      let expected = [["green", "blue"], [], ["red", "blue"]]
      try expect(
        tags, equals: try expected.map { names in Set(try names.map { try town.tag($0) }) }, "Tags")
      let people = try trial.destinations(
        "people", of: try ["red", "green"].map { try town.tag($0) })
      try expect(people, equals: [try town.set(["Ada", "Bob"]), try town.set(["Dan"])], "People")
    },
    Self("missing objects have no destinations") { trial in
      let town = try Town(in: trial)
      let entity = Int(try town.person("Ada").entityIndex)
      let missing = ObjectKey(entityIndex: entity, key: 1 << 40)
      for name in ["pupils", "tags", "favorites"] {
        try expect(
          try trial.destinations(name, of: [missing]), equals: [[]], "\(name) of a missing object")
      }
    },
    Self("destinations of thousands of sources are in the order of the sources") { trial in
      let places = try trial.insert(
        "City", (0..<2000).map { NewObject(["name": .string("\($0)")]) })
      let people = try trial.insert(
        "Person",
        places.enumerated().map { NewObject(["serial": .int(Int64($0))], toOne: ["home": $1]) })
      let found = try trial.destinations("residents", of: places.reversed())
      try expect(found, equals: people.reversed().map { [$0] }, "Residents")
    },
    Self("join rows can be added and removed from either side", linkEdits),
    Self("a join row can be added twice, and a missing join row can be removed") { trial in
      let town = try Town(in: trial)
      let ada = try town.person("Ada")
      let red = try town.tag("red")
      let green = try town.tag("green")
      try trial.write { changes in
        try changes.link(ada, "tags", red)
        try changes.link(ada, "tags", green, isAdded: false)
      }
      try expect(
        try trial.destinations("tags", of: [ada]), equals: [[red, try town.tag("blue")]], "Tags")
    },
    Self("a to-many relationship of an entity to itself keeps its two sides apart") { trial in
      let town = try Town(in: trial)
      let red = try town.tag("red")
      let green = try town.tag("green")
      let blue = try town.tag("blue")
      try trial.write { changes in
        try changes.link(red, "related", green)
        try changes.link(red, "relating", blue)
      }
      let all = [red, green, blue]
      try expect(
        try trial.destinations("related", of: all), equals: [[green], [], [red]], "related")
      try expect(
        try trial.destinations("relating", of: all), equals: [[blue], [red], []], "relating")
    },
    Self(
      "in a to-many relationship without an inverse, each destination has only one source"
    ) { trial in
      let town = try Town(in: trial)
      let ada = try town.person("Ada")
      let bob = try town.person("Bob")
      let oslo = try town.place("Oslo")
      let fjord = try town.place("Fjord")
      try trial.write { changes in
        try changes.link(ada, "favorites", oslo)
        try changes.link(ada, "favorites", fjord)
      }
      try expect(
        try trial.destinations("favorites", of: [ada, bob]), equals: [[oslo, fjord], []], "Before")
      try trial.write { try $0.link(bob, "favorites", fjord) }
      try expect(
        try trial.destinations("favorites", of: [ada, bob]), equals: [[oslo], [fjord]], "Moved")
      try trial.write { try $0.link(ada, "favorites", oslo, isAdded: false) }
      try expect(
        try trial.destinations("favorites", of: [ada, bob]), equals: [[], [fjord]], "Removed")
    },
    Self("of several sources that a save adds for a destination, the last one has it") { trial in
      let town = try Town(in: trial)
      let people = try ["Ada", "Bob"].map { try town.person($0) }
      let (oslo, fjord) = (try town.place("Oslo"), try town.place("Fjord"))
      try trial.write { changes in
        for person in people { try changes.link(person, "favorites", oslo) }
        for person in people.reversed() { try changes.link(person, "favorites", fjord) }
      }
      try expect(
        try trial.destinations("favorites", of: people), equals: [[fjord], [oslo]], "Favorites")
    },
    Self("a changed to-one destination changes both inverses") { trial in
      let town = try Town(in: trial)
      let row = try trial.storedRow(try town.person("Ada"))
      try trial.write { try $0.update(row, toOne: ["home": try town.place("Fjord")]) }
      let places = [try town.place("Oslo"), try town.place("Fjord")]
      try expect(
        try trial.destinations("residents", of: places),
        equals: [try town.set(["Eve"]), try town.set(["Ada", "Dan"])], "Residents")
      let moved = try trial.storedRow(try town.person("Ada"))
      try trial.write { try $0.update(moved, toOne: ["home": nil]) }
      try expect(
        try trial.destinations("residents", of: places),
        equals: [try town.set(["Eve"]), try town.set(["Dan"])], "Residents after nil")
    },
    Self("the join rows of a deleted object are deleted") { trial in
      let town = try Town(in: trial)
      let ada = try trial.storedRow(try town.person("Ada"))
      let pupils = try ["Bob", "Cyd"].map { try trial.storedRow(try town.person($0)) }
      try trial.write { changes in
        for pupil in pupils { try changes.update(pupil, toOne: ["mentor": nil]) }
        for tag in ["red", "blue"] {
          try changes.link(try town.person("Ada"), "tags", try town.tag(tag), isAdded: false)
        }
        changes.delete(ada)
      }
      try expect(
        try trial.destinations("people", of: [try town.tag("red"), try town.tag("blue")]),
        equals: [try town.set(["Bob"]), try town.set(["Dan"])], "People")
    },
  ]

  private static func linkEdits(_ trial: StoreTrial) throws {
    let town = try Town(in: trial)
    let ada = try town.person("Ada")
    let eve = try town.person("Eve")
    let red = try town.tag("red")
    let green = try town.tag("green")
    let blue = try town.tag("blue")
    try trial.write { changes in
      try changes.link(ada, "tags", red, isAdded: false)
      try changes.link(ada, "tags", green)
      try changes.link(blue, "people", eve)
      try changes.link(blue, "people", ada, isAdded: false)
    }
    try expect(
      try trial.destinations("tags", of: [ada, eve]), equals: [[green], [blue]], "Tags")
    try expect(
      try trial.destinations("people", of: [red, green, blue]),
      equals: [
        try town.set(["Bob"]), try town.set(["Ada", "Dan"]), try town.set(["Dan", "Eve"]),
      ], "People")
    guard let again = try trial.reopened() else { return }
    defer { again.close() }
    try expect(
      try again.destinations("tags", of: [ada, eve]), equals: [[green], [blue]],
      "Tags after reopening")
  }
}

extension Town {
  fileprivate func set(_ names: [String]) throws -> Set<ObjectKey> {
    Set(try names.map { try person($0) })
  }
}
