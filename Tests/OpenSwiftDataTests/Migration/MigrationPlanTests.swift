import Foundation
import OpenSwiftData
import Testing

@Suite("Migration plans")
struct MigrationPlanTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private let migrated = ["A Ada Lovelace 7 A-Ada true", "B Cy Fox 7 B-Cy true"]

  @Test("a store of the oldest version passes all stages, with the code of each")
  func oldest() throws {
    try folder.fillTrips1()
    #expect(try folder.trips3() == migrated)
    #expect(try folder.trips3() == migrated)
    #expect(try folder.trips3(nil) == migrated)
  }

  @Test("a store of an intermediate version starts there")
  func middle() throws {
    try folder.fillTrips2()
    #expect(try folder.trips3() == migrated)
  }

  @Test("new stores and in-memory stores run no stage")
  func new() throws {
    // Each action of a stage would throw.
    for fault in [TripStages.Fault.beforeSaving, .afterMigration] {
      try TripStages.$fault.withValue(fault) {
        #expect(try StoreFolder().trips3() == [])
        let container = try ModelContainer(
          for: Schema(versionedSchema: Trips3.self), migrationPlan: TripPlan.self,
          configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trips3.Trip>()) == 0)
      }
    }
  }

  @Test("a container of model types follows the plan like a container of the version")
  func types() throws {
    try folder.fillTrips1()
    let container = try ModelContainer(
      for: Trips3.Trip.self, migrationPlan: TripPlan.self,
      configurations: ModelConfiguration(url: folder.file()))
    let trips = try ModelContext(container).fetch(FetchDescriptor<Trips3.Trip>())
    #expect(Set(trips.map(\.leader)) == ["Ada Lovelace", "Cy Fox"])
    #expect(container.migrationPlan == TripPlan.self)
  }

  @Test("rules of the last version apply after the migration")
  func rules() throws {
    try folder.fillTrips1()
    try folder.with(Trips3.self, TripPlan.self) { context in
      let trip = Trips3.Trip(code: "A")
      trip.leader = "New"
      context.insert(trip)
      try context.save()
      #expect(try context.fetchCount(FetchDescriptor<Trips3.Trip>()) == 2)
      let changed = try context.fetch(
        FetchDescriptor<Trips3.Trip>(sortBy: [SortDescriptor(\.code)]))
      #expect(changed.map(\.leader) == ["New", "Cy Fox"])
      for trip in changed { context.delete(trip) }
      try context.save()
      #expect(try context.fetchCount(FetchDescriptor<Trips3.Stop>()) == 0)
    }
  }

  @Test("a container of an intermediate version stops there")
  func stopping() throws {
    try folder.fillTrips1()
    let guides = try folder.with(Trips2.self, TripPlan.self) { context in
      try context.fetch(FetchDescriptor<Trips2.Trip>(sortBy: [SortDescriptor(\.code)])).map(\.guide)
    }
    #expect(guides == ["Ada Lovelace", "Cy Fox"])
    #expect(try folder.trips3() == migrated)
  }

  @Test("differences between the schema and the plan's last version are inferred")
  func beyond() throws {
    try folder.fillTrips1()
    let trips = try folder.with(Trips4.self, TripPlan.self) { context in
      try context.fetch(FetchDescriptor<Trips4.Trip>(sortBy: [SortDescriptor(\.code)])).map {
        "\($0.code) \($0.leader ?? "nil") \($0.note ?? "nil") \($0.places.map(\.name))"
      }
    }
    #expect(trips == ["A Ada Lovelace nil [\"A-Ada\"]", "B Cy Fox nil [\"B-Cy\"]"])
  }

  @Test("a plan without stages migrates by inference from its versions")
  func noStages() throws {
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [Trips2.self, Trips3.self] }
      static var stages: [MigrationStage] { [] }
    }
    try folder.fillTrips2()
    #expect(try folder.trips3(Plan.self) == migrated)
  }

  @Test("a custom stage without code is equivalent to a lightweight stage")
  func noCode() throws {
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [Trips2.self, Trips3.self] }
      static var stages: [MigrationStage] {
        [
          .custom(
            fromVersion: Trips2.self, toVersion: Trips3.self, willMigrate: nil, didMigrate: nil)
        ]
      }
    }
    try folder.fillTrips2()
    #expect(try folder.trips3(Plan.self) == migrated)
  }

  @Test("the stages of a plan can be constants")
  func constantStages() throws {
    enum Plan: SchemaMigrationPlan {
      static let schemas: [any VersionedSchema.Type] = [Trips1.self, Trips2.self, Trips3.self]
      static let first = MigrationStage.custom(
        fromVersion: Trips1.self, toVersion: Trips2.self,
        willMigrate: { try TripStages.removeDuplicates($0) },
        didMigrate: { try TripStages.fillGuides($0) })
      static let stages = [first, .lightweight(fromVersion: Trips2.self, toVersion: Trips3.self)]
    }
    try folder.fillTrips1()
    #expect(try folder.trips3(Plan.self) == migrated)
  }

  // MARK: Interrupted stages

  @Test(
    "code that throws before it saves does not change the store; the next opening starts again")
  func failureBeforeSaving() throws {
    try folder.fillTrips1()
    let error = TripStages.$fault.withValue(.beforeSaving) {
      folder.error(Trips3.self, TripPlan.self)
    }
    #expect(error == .loadIssueModelContainer)
    #expect(error?.underlyingError as? TripStages.Failure == TripStages.Failure(place: "before"))
    #expect(try folder.trips1() == ["A Ada", "A Bo", "B Cy"])
    #expect(try folder.trips3() == migrated)
  }

  @Test("saves before the code throws stay in the old version; the next opening starts again")
  func failureAfterSaving() throws {
    try folder.fillTrips1()
    let error = TripStages.$fault.withValue(.afterSaving) {
      folder.error(Trips3.self, TripPlan.self)
    }
    #expect(error?.underlyingError as? TripStages.Failure == TripStages.Failure(place: "after"))
    #expect(try folder.trips1() == ["A Ada", "B Cy"])
    #expect(try folder.trips3() == migrated)
  }

  @Test("the next opening reruns code after the migration that threw", arguments: [2, 3])
  func failureAfterMigration(last: Int) throws {
    try folder.fillTrips1()
    let version: any VersionedSchema.Type = last == 2 ? Trips2.self : Trips3.self
    for _ in 1...2 {
      let error = TripStages.$fault.withValue(.afterMigration) {
        folder.error(version, TripPlan.self)
      }
      #expect(error?.underlyingError as? TripStages.Failure == TripStages.Failure(place: "did"))
    }
    if last == 2 { try folder.with(Trips2.self, TripPlan.self) { _ in } }
    #expect(try folder.trips3() == migrated)
  }

  @Test("duplicates that the code leaves are error 134111, and the store is unchanged")
  func duplicates() throws {
    try folder.fillTrips1()
    let error = TripStages.$keepsDuplicates.withValue(true) {
      folder.error(Trips3.self, TripPlan.self)
    }
    #expect(error == .loadIssueModelContainer)
    #expect((error?.underlyingError as? CocoaError)?.code.rawValue == 134_111)
    #expect(try folder.trips1() == ["A Ada", "A Bo", "B Cy"])
    #expect(try folder.trips3() == migrated)
  }
}
