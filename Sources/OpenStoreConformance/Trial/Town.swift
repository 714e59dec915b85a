import Foundation
import OpenPredicates
import OpenStoreContract

/// The objects that most checks run their plans on.
///
///     name  age  height  active  home    employer  mentor  tags         pupils
///     Ada   36   1.5     true    Oslo    Acme      -       red, blue    Bob, Cyd
///     Bob   41   1.75    false   Aarhus  Acme      Ada     red          Dan
///     Cyd   -    -       -       -       -         Ada     -            -
///     Dan   -5   2.0     true    Fjord   Borg      Bob     green, blue  -
///     Eve   36   1.5     false   Oslo    Cole      -       -            -
///
/// The headquarters of Acme (revenue 10.5) are in Aarhus, and those of Cole (revenue -3) in Oslo.
/// Borg has neither headquarters nor revenue.
struct Town {
  let places: [String: ObjectKey]
  let companies: [String: ObjectKey]
  let people: [String: ObjectKey]
  let tags: [String: ObjectKey]

  init(in trial: StoreTrial) throws {
    places = try Self.insertPlaces(trial)
    let homes = places
    companies = try Self.insert(
      "Company",
      [
        (
          "Acme", NewObject(["revenue": .double(10.5)], toOne: homes.only("headquarters", "Aarhus"))
        ),
        ("Borg", NewObject([:])),
        ("Cole", NewObject(["revenue": .double(-3)], toOne: homes.only("headquarters", "Oslo"))),
      ], trial)
    tags = try Self.insert(
      "Tag", ["red", "green", "blue"].map { ($0, NewObject([:])) }, trial)
    people = try Self.insertPeople(trial, places, companies)
    try join(trial)
  }

  private static func insertPlaces(_ trial: StoreTrial) throws -> [String: ObjectKey] {
    var places = try insert(
      "City",
      [
        ("Aarhus", NewObject(["population": .int(350_000)])),
        ("Bergen", NewObject(["population": .int(290_000)])),
      ], trial)
    places.merge(
      try insert(
        "Capital",
        [
          ("Oslo", NewObject(["population": .int(700_000), "parliament": .string("Storting")]))
        ], trial)
    ) { $1 }
    places.merge(
      try insert("Village", [("Fjord", NewObject(["households": .int(40)]))], trial)
    ) { $1 }
    return places
  }

  private static func insertPeople(
    _ trial: StoreTrial, _ places: [String: ObjectKey], _ companies: [String: ObjectKey]
  ) throws -> [String: ObjectKey] {
    func person(
      _ serial: Int64, _ age: Int64?, _ height: Double?, _ isActive: Bool?, _ home: String,
      _ employer: String
    ) -> NewObject {
      NewObject(
        [
          "serial": .int(serial), "age": age.map { .int($0) } ?? .null,
          "height": height.map { .double($0) } ?? .null,
          "isActive": isActive.map { .bool($0) } ?? .null,
          "born": age.map { .date(Double($0) * 1000) } ?? .null,
        ],
        toOne: places.only("home", home).merging(companies.only("employer", employer)) { $1 })
    }
    return try insert(
      "Person",
      [
        ("Ada", person(1, 36, 1.5, true, "Oslo", "Acme")),
        ("Bob", person(2, 41, 1.75, false, "Aarhus", "Acme")),
        ("Cyd", person(3, nil, nil, nil, "", "")),
        ("Dan", person(4, -5, 2, true, "Fjord", "Borg")),
        ("Eve", person(5, 36, 1.5, false, "Oslo", "Cole")),
      ], trial)
  }

  /// Sets mentors, which are also people, and tags.
  private func join(_ trial: StoreTrial) throws {
    let rows = try people.mapValues { try trial.storedRow($0) }
    try trial.write { changes in
      for (pupil, mentor) in [("Bob", "Ada"), ("Cyd", "Ada"), ("Dan", "Bob")] {
        let row = try require(rows[pupil], "Row of \(pupil)")
        try changes.update(row, toOne: ["mentor": people[mentor]])
      }
      for (person, tag) in [
        ("Ada", "red"), ("Ada", "blue"), ("Bob", "red"), ("Dan", "green"), ("Dan", "blue"),
      ] {
        try changes.link(try self.person(person), "tags", try self.tag(tag))
      }
    }
  }

  private static func insert(
    _ entity: String, _ objects: [(String, NewObject)], _ trial: StoreTrial
  ) throws -> [String: ObjectKey] {
    let named = objects.map { name, object in
      NewObject(object.values.merging(["name": .string(name)]) { $1 }, toOne: object.toOne)
    }
    let keys = try trial.insert(entity, named)
    return Dictionary(zip(objects.map(\.0), keys)) { $1 }
  }

  func person(_ name: String) throws -> ObjectKey { try require(people[name], name) }
  func place(_ name: String) throws -> ObjectKey { try require(places[name], name) }
  func company(_ name: String) throws -> ObjectKey { try require(companies[name], name) }
  func tag(_ name: String) throws -> ObjectKey { try require(tags[name], name) }
}

extension [String: ObjectKey] {
  /// Returns the object with the given name as the destination of a relationship, or an empty
  /// dictionary if there is none.
  fileprivate func only(_ relationship: String, _ name: String) -> [String: ObjectKey] {
    self[name].map { [relationship: $0] } ?? [:]
  }
}
