import Foundation
import OpenCoreData
import OpenSwiftData
import Testing

@Suite("Members of structures in predicates and orders")
struct StructureMemberTests {
  // MARK: Predicates

  private func check(
    _ predicate: Predicate<Resident>, sourceLocation: SourceLocation = #_sourceLocation,
    _ plain: (Resident) -> Bool
  ) throws {
    for inMemory in [false, true] {
      let context = try Residents.context(inMemory: inMemory)
      for isSaved in [false, true] {
        if isSaved { try context.save() }
        let all = try context.fetch(FetchDescriptor<Resident>())
        #expect(all.count == 13, sourceLocation: sourceLocation)
        let wanted = all.filter(plain).map(\.number).sorted()
        let descriptor = FetchDescriptor(predicate: predicate)
        let found = try context.fetch(descriptor).map(\.number).sorted()
        #expect(found == wanted, "saved: \(isSaved)", sourceLocation: sourceLocation)
        #expect(!wanted.isEmpty && wanted.count < 13, "trivial", sourceLocation: sourceLocation)
        #expect(try context.fetchCount(descriptor) == wanted.count, sourceLocation: sourceLocation)
      }
    }
  }

  @Test("predicates compare members with values, saved or not")
  func members() throws {
    try check(#Predicate { $0.address.city == "Rom" }) { $0.address.city == "Rom" }
    try check(#Predicate { $0.address.city == "Bern" }) { $0.address.city == "Bern" }
    try check(#Predicate { $0.address.city.starts(with: "Rom") }) {
      $0.address.city.starts(with: "Rom")
    }
    try check(#Predicate { $0.address.floor == nil }) { $0.address.floor == nil }
    try check(#Predicate { ($0.address.floor ?? 0) > 2 }) { ($0.address.floor ?? 0) > 2 }
    try check(#Predicate { $0.address.isOpen }) { $0.address.isOpen }
    let date = Date(timeIntervalSinceReferenceDate: 1_500)
    try check(#Predicate { $0.address.since < date }) { $0.address.since < date }
  }

  @Test("predicates use members of nested and optional structures, and over relationships")
  func inner() throws {
    try check(#Predicate { $0.address.point.latitude > 1.5 }) { $0.address.point.latitude > 1.5 }
    try check(#Predicate { $0.second?.city == "Rom" }) { $0.second?.city == "Rom" }
    try check(#Predicate { $0.second?.point.latitude == 2 }) { $0.second?.point.latitude == 2 }
    try check(#Predicate { $0.second == nil }) { $0.second == nil }
    try check(#Predicate { $0.neighbor?.address.city == "Rom" }) {
      $0.neighbor?.address.city == "Rom"
    }
  }

  @Test("predicates compare enumerations in structures")
  func enumerations() throws {
    let kind = AddressKind.work
    try check(#Predicate { $0.address.kind == kind }) { $0.address.kind == kind }
    try check(#Predicate { $0.address.kind.rawValue == "home" }) { $0.address.kind == .home }
    try check(#Predicate { $0.second?.kind == kind }) { $0.second?.kind == kind }
  }

  // MARK: Orders

  private func check<Key: Comparable>(
    _ order: SortDescriptor<Resident>, sourceLocation: SourceLocation = #_sourceLocation,
    _ key: (Resident) -> Key
  ) throws {
    for inMemory in [false, true] {
      let context = try Residents.context(inMemory: inMemory)
      for isSaved in [false, true] {
        if isSaved { try context.save() }
        let wanted = try context.fetch(FetchDescriptor<Resident>())
          .sorted { (key($0), $0.number) < (key($1), $1.number) }.map(\.number)
        var backwards = order
        backwards.order = .reverse
        for (order, tie, wanted) in [
          (order, SortDescriptor(\Resident.number), wanted),
          (backwards, SortDescriptor(\Resident.number, order: .reverse), wanted.reversed()),
        ] {
          let descriptor = FetchDescriptor(sortBy: [order, tie])
          let found = try context.fetch(descriptor).map(\.number)
          #expect(found == wanted, "saved: \(isSaved)", sourceLocation: sourceLocation)
          var visited: [Int] = []
          try context.enumerate(descriptor, batchSize: 2) { visited.append($0.number) }
          #expect(visited == found, "saved: \(isSaved)", sourceLocation: sourceLocation)
        }
      }
    }
  }

  @Test("fetches and enumerations are sorted by members, saved or not")
  func orders() throws {
    try check(SortDescriptor(\.address.city, comparator: .lexical)) { $0.address.city }
    try check(SortDescriptor(\.address.floor)) { $0.address.floor ?? -1 }
    try check(SortDescriptor(\.address.since)) { $0.address.since }
    try check(SortDescriptor(\.address.isOpen)) { $0.address.isOpen ? 1 : 0 }
    try check(SortDescriptor(\.kind)) { $0.kind.rawValue }
  }

  @Test("a text in a structure is sorted by localized comparison")
  func texts() throws {
    let context = try Residents.context(inMemory: false)
    let cities = try context.fetch(
      FetchDescriptor(sortBy: [SortDescriptor(\Resident.address.city)])
    )
    .map(\.address.city)
    #expect(
      cities.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        == ["Århus", "Bern", "Oslo", "Rom", "rom 2", "Rom 10"])
  }

  @Test(
    "fetches are sorted by members of nested and optional structures, and over relationships"
  )
  func innerOrders() throws {
    try check(SortDescriptor(\.address.point.latitude)) { $0.address.point.latitude }
    try check(SortDescriptor(\.address.kind)) { $0.address.kind.rawValue }
    try check(SortDescriptor(\.second?.city, comparator: .lexical)) { $0.second?.city ?? "" }
    try check(SortDescriptor(\.second?.point.latitude)) { $0.second?.point.latitude ?? -9 }
    try check(SortDescriptor(\.second?.floor)) { $0.second?.floor ?? -1 }
    try check(SortDescriptor(\.neighbor?.address.city, comparator: .lexical)) {
      $0.neighbor?.address.city ?? ""
    }
  }

  // MARK: What has no column

  @Test(
    "sorting by computed members, values in several columns and encoded values throws")
  func refused() throws {
    let context = try Residents.context(inMemory: true)
    for order in [
      SortDescriptor(\Resident.address.label), SortDescriptor(\Resident.rating),
      SortDescriptor(\Resident.whole.stars), SortDescriptor(\Resident.address.city.count),
    ] {
      let error = #expect(throws: SwiftDataError.self) {
        try context.fetch(FetchDescriptor(sortBy: [order]))
      }
      #expect(error == .unsupportedSortDescriptor)
      #expect(error?.explanation?.contains("Resident") == true)
    }
    #expect(
      try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\Resident.rating.stars)])).count
        == 13)
  }

  @Test("calculated members, encoded values and collections in structures are compared in memory")
  func inMemory() throws {
    try check(#Predicate { $0.address.label == "ROM" }) { $0.address.label == "ROM" }
    try check(#Predicate { $0.whole.stars == 2 }) { $0.whole.stars == 2 }
    try check(#Predicate { $0.number > 3 && $0.whole.stars == 2 }) {
      $0.number > 3 && $0.whole.stars == 2
    }
    try check(#Predicate { $0.address.tags.contains("odd") }) { $0.address.tags.contains("odd") }
    try check(#Predicate { $0.address.tags.count == 2 }) { $0.address.tags.count == 2 }
  }

  // MARK: Elsewhere

  @Test("results can be sectioned by a member, and members can be properties to fetch")
  @MainActor
  func sections() throws {
    let context = try Residents.context(inMemory: false)
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Resident.number)], sectionBy: \Resident.address.city,
      modelContext: context)
    let sections = try #require(observer.sections)
    #expect(
      sections.map(\.id).sorted() == ["Bern", "Oslo", "Rom", "Rom 10", "rom 2", "Århus"].sorted())
    #expect(sections.reduce(0) { $0 + $1.count } == 13)
    var descriptor = FetchDescriptor<Resident>()
    descriptor.propertiesToFetch = [\.address.city, \.address.point.latitude]
    #expect(try context.fetch(descriptor).count == 13)
  }

  @Test(
    "a Core Data stack of the same models fetches by key paths of members",
    arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
  func coreData(_ type: String) throws {
    let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: Resident.self))
    let container = NSPersistentContainer(name: "Residents", managedObjectModel: model)
    let description = NSPersistentStoreDescription(
      url: FileManager.default.temporaryDirectory
        .appendingPathComponent("residents-\(UUID().uuidString).store"))
    description.type = type
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    let context = container.newBackgroundContext()
    try context.performAndWait {
      for number in 0..<6 {
        if number == 4 { try context.save() }
        let resident = NSEntityDescription.insertNewObject(forEntityName: "Resident", into: context)
        resident.setValue(number, forKey: "number")
        resident.setValue(["stars": 1, "votes": 1], forKey: "rating")
        resident.setValue(Data("{}".utf8), forKey: "whole")
        resident.setValue(["kind": "home"], forKey: "kind")
        let address: [String: Any] = [
          "isOpen": true, "tags": Data("[]".utf8), "since": Date(timeIntervalSinceReferenceDate: 0),
          "city": ["Rom", "Oslo", "Bern"][number % 3],
          "kind": ["kind": number % 2 == 0 ? "home" : "work"],
          "point": ["latitude": Double(10 - number), "longitude": 0.0],
        ]
        resident.setValue(address, forKey: "address")
      }
      func numbers(_ format: String?, _ order: NSSortDescriptor) throws -> [Int?] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Resident")
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = [order, NSSortDescriptor(key: "number", ascending: true)]
        return try context.fetch(request).map { $0.value(forKey: "number") as? Int }
      }
      let byNumber = NSSortDescriptor(key: "number", ascending: true)
      #expect(try numbers("address.city == 'Rom'", byNumber) == [0, 3])
      #expect(try numbers("address.kind == 'home'", byNumber) == [0, 2, 4])
      #expect(try numbers("address.point.latitude < 7", byNumber) == [4, 5])
      let byCity = NSSortDescriptor(key: "address.city", ascending: true)
      #expect(try numbers(nil, byCity) == [2, 5, 1, 4, 0, 3])
      let byLatitude = NSSortDescriptor(key: "address.point.latitude", ascending: true)
      #expect(try numbers(nil, byLatitude) == [5, 4, 3, 2, 1, 0])
      let byKind = NSSortDescriptor(key: "address.kind", ascending: false)
      #expect(try numbers(nil, byKind) == [1, 3, 5, 0, 2, 4])
    }
  }
}
