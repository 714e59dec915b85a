import Foundation
import OpenSwiftData
import Testing

/// A version that no plan lists.
private enum Trips0: VersionedSchema {
  static var models: [any PersistentModel.Type] { [Trip.self] }
  static var versionIdentifier: Schema.Version { Schema.Version(0, 9, 0) }

  @Model final class Trip {
    var title: String
    init(title: String) { self.title = title }
  }
}

@Suite("Unsuitable migration plans")
struct PlanErrorTests {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private enum LatePlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { TripPlan.schemas }
    static var stages: [MigrationStage] { [TripPlan.stages[1]] }
  }

  private enum OldPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Trips1.self, Trips2.self] }
    static var stages: [MigrationStage] { [TripPlan.stages[0]] }
  }

  @Test("a store of an unknown version is not changed, and the error describes the store")
  func unknownVersion() throws {
    try folder.with(Trips0.self) { context in
      context.insert(Trips0.Trip(title: "x"))
      try context.save()
    }
    let error = folder.error(Trips3.self, TripPlan.self)
    #expect(error == .loadIssueModelContainer)
    let cause = try #require(error?.underlyingError as? SwiftDataError)
    #expect(cause == .unknownSchema)
    let text = try #require(cause.explanation)
    for part in [folder.file().path, "0.9.0", "Trip", "TripPlan", "Trips2"] {
      #expect(text.contains(part), "\(text)")
    }
    #expect(error?.localizedDescription.contains("0.9.0") == true)
    let titles = try folder.with(Trips0.self) { context in
      try context.fetch(FetchDescriptor<Trips0.Trip>()).map(\.title)
    }
    #expect(titles == ["x"])
  }

  @Test(
    "a store of a version without a stage is not changed, and the error names the version"
  )
  func missingStage() throws {
    try folder.fillTrips1()
    let error = folder.error(Trips3.self, LatePlan.self)
    let cause = try #require(error?.underlyingError as? SwiftDataError)
    #expect(cause == .unknownSchema)
    #expect(cause.explanation?.contains("Trips1") == true)
    #expect(try folder.trips1() == ["A Ada", "A Bo", "B Cy"])
  }

  @Test("a store of a greater version number is not changed, with the plan or without")
  func backward() throws {
    try folder.fillTrips2()
    _ = try folder.trips3()
    for plan in [nil, OldPlan.self, TripPlan.self] as [(any SchemaMigrationPlan.Type)?] {
      let error = folder.error(Trips2.self, plan)
      #expect(error == .backwardMigration)
      let text = try #require(error?.explanation)
      for part in [folder.file().path, "3.0.0", "2.0.0"] { #expect(text.contains(part), "\(text)") }
    }
    #expect(try folder.trips3().count == 2)
    do {
      try folder.with(Trips1.self, TripPlan.self) { _ in }
      Issue.record("The container was opened.")
    } catch SwiftDataError.backwardMigration {
    } catch { Issue.record(error) }
  }

  @Test("versions with the same models are an error that names them")
  func sameModels() throws {
    enum Again: VersionedSchema {
      static var models: [any PersistentModel.Type] { Trips1.models }
      static var versionIdentifier: Schema.Version { Schema.Version(1, 1, 0) }
    }
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [Trips1.self, Again.self] }
      static var stages: [MigrationStage] {
        [.lightweight(fromVersion: Trips1.self, toVersion: Again.self)]
      }
    }
    let error = folder.error(Again.self, Plan.self)
    let cause = try #require(error?.underlyingError as? SwiftDataError)
    #expect(cause == .unknownSchema)
    #expect(cause.explanation?.contains("Again") == true)
    #expect(cause.explanation?.contains("Trips1") == true)
  }

  @Test("a stage of a version that the plan does not list is an error that names it")
  func unlistedVersion() throws {
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [Trips2.self, Trips3.self] }
      static var stages: [MigrationStage] { TripPlan.stages }
    }
    let error = folder.error(Trips3.self, Plan.self)
    let cause = try #require(error?.underlyingError as? SwiftDataError)
    #expect(cause == .unknownSchema)
    #expect(cause.explanation?.contains("Trips1") == true)
  }

  @Test("models of a version other than the container's are rejected")
  func foreignModels() throws {
    try folder.fillTrips2()
    try folder.with(Trips3.self, TripPlan.self) { context in
      context.insert(Trips2.Trip(code: "C", first: "x", last: "y"))
      #expect(throws: (any Error).self) {
        _ = try context.fetch(FetchDescriptor<Trips2.Trip>()).map(\.first)
        try context.save()
      }
      context.rollback()
    }
    #expect(try folder.trips3().count == 2)
  }
}
