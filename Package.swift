// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// Continuous integration treats warnings as errors; clients of the package are not affected.
let strict: [SwiftSetting] =
  Context.environment["OPENCOREDATA_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

/// The settings of every target; Docs/Internals/Architecture.md explains them.
let settings: [SwiftSetting] =
  strict + [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
  ]

/// A library target; it can import only `dependencies`, which are on lower levels.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// A target that several test targets share and that no product contains.
func testLibrary(_ name: String, path: String) -> Target {
  .target(name: name, path: path, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
  name: "OpenCoreData",
  products: [
    .library(name: "CoreData", targets: ["CoreData"]),
    .library(name: "OpenCoreData", targets: ["OpenCoreData"]),
    .library(name: "OpenManagedMacros", targets: ["OpenManagedMacros"]),
    .library(name: "SwiftData", targets: ["SwiftData"]),
    .library(name: "OpenSwiftData", targets: ["OpenSwiftData"]),
    .library(name: "OpenBuiltInStores", targets: ["OpenBuiltInStores"]),
    .library(name: "OpenPostgresStore", targets: ["OpenPostgresStore"]),
    .library(name: "OpenObjectiveCNames", targets: ["OpenObjectiveCNames"]),
    .executable(name: "coredata", targets: ["coredata"]),
    .executable(name: "coredata-postgres", targets: ["coredata-postgres"]),
    .library(name: "OpenPersistenceKit", targets: ["OpenPersistenceKit"]),
    .library(name: "OpenStoreContract", targets: ["OpenStoreContract"]),
    .library(name: "OpenStoreConformance", targets: ["OpenStoreConformance"]),
    .library(name: "OpenTestSupport", targets: ["OpenTestSupport"]),
    .library(name: "PostgresTestServer", targets: ["PostgresTestServer"]),
    .plugin(name: "ModelCodegen", targets: ["ModelCodegen"]),
  ],
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    // Level 0
    .systemLibrary(
      name: "COpenSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "COpenZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "COpenPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(name: "COpenSupport", dependencies: ["COpenSQLite"]),
    .target(name: "COpenRuntime"),
    library("OpenPredicates"),
    library("OpenObjectiveCNames"),
    library("OpenObjectModel", ["OpenPredicates", "COpenRuntime"]),
    // Level 1
    library("OpenStoreContract", ["OpenObjectModel", "OpenPredicates", "COpenRuntime"]),
    // Level 2
    library(
      "OpenObjectGraph",
      [
        "OpenStoreContract", "OpenObjectModel", "OpenPredicates", "COpenRuntime",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
      ]),
    library("OpenSQLCore", ["OpenStoreContract", "OpenObjectModel", "OpenPredicates"]),
    // Level 3
    library(
      "OpenSQLiteStore",
      [
        "OpenSQLCore", "OpenStoreContract", "OpenObjectModel", "OpenPredicates", "COpenSQLite",
        "COpenSupport", "COpenZlib",
      ]),
    library(
      "OpenMigration",
      ["OpenObjectGraph", "OpenStoreContract", "OpenObjectModel", "OpenPredicates"]),
    // Opt-in: no other product links libpq.
    library(
      "OpenPostgresStore",
      [
        "OpenSQLCore", "OpenStoreContract", "OpenObjectModel", "OpenPredicates", "OpenObjectGraph",
        "COpenPostgres",
      ]),
    library("OpenMemoryStore", ["OpenStoreContract", "OpenObjectModel", "OpenPredicates"]),
    library(
      "OpenAtomicStores",
      ["OpenMemoryStore", "OpenStoreContract", "OpenObjectModel", "OpenPredicates"]),
    // Level 4
    library(
      "OpenBuiltInStores",
      [
        "OpenObjectGraph", "OpenSQLiteStore", "OpenMemoryStore", "OpenAtomicStores",
        "OpenMigration", "OpenStoreContract", "OpenObjectModel", "OpenPredicates",
      ]),
    library(
      "OpenCoreData",
      [
        "OpenBuiltInStores", "OpenObjectGraph", "OpenStoreContract", "OpenObjectModel",
        "OpenPredicates", "OpenMigration",
      ]),
    // Separate, so that targets without macros do not wait for swift-syntax.
    library("OpenManagedMacros", ["OpenPredicates", "OpenMacros"]),
    library(
      "CoreData", ["OpenCoreData", "OpenManagedMacros", "OpenPredicates", "OpenObjectiveCNames"]),
    // Level 5
    .macro(
      name: "OpenMacros",
      dependencies: [
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
      ],
      swiftSettings: settings),
    library(
      "OpenPersistenceKit",
      [
        "OpenCoreData", "OpenObjectGraph", "OpenSQLiteStore", "OpenStoreContract",
        "OpenMigration", "OpenObjectModel",
        "OpenPredicates",
      ]),
    library(
      "OpenSwiftData",
      [
        "OpenCoreData", "OpenObjectGraph", "OpenStoreContract", "OpenObjectModel",
        "OpenPredicates", "OpenMigration", "OpenMacros", "COpenRuntime",
      ]),
    library("SwiftData", ["OpenSwiftData", "OpenObjectiveCNames"]),
    library("OpenModelCodegen", ["OpenObjectModel"]),
    library(
      "OpenSourceRewriter",
      [
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftParserDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
      ]),
    .executableTarget(
      name: "opencoredata-codegen", dependencies: ["OpenModelCodegen", "OpenSourceRewriter"],
      swiftSettings: settings),
    .plugin(
      name: "ModelCodegen", capability: .buildTool(), dependencies: ["opencoredata-codegen"]),
    // Level 6
    library(
      "OpenStoreTool",
      [
        "OpenCoreData", "OpenObjectGraph", "OpenSQLiteStore", "OpenStoreContract",
        "OpenObjectModel", "OpenPredicates", "OpenMigration", "OpenModelCodegen",
        "OpenPersistenceKit",
      ]),
    library(
      "OpenStoreCommands",
      ["OpenStoreTool", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
    .executableTarget(
      name: "coredata", dependencies: ["OpenStoreCommands"], swiftSettings: settings),
    // The same commands with support for PostgreSQL stores; separate, so that coredata needs no
    // libpq.
    .executableTarget(
      name: "coredata-postgres", dependencies: ["OpenStoreCommands", "OpenPostgresStore"],
      swiftSettings: settings),
    // Test libraries
    library(
      "OpenTestSupport",
      [
        "OpenCoreData", "OpenPersistenceKit", "OpenMigration", "OpenObjectGraph",
        "OpenStoreContract", "OpenObjectModel", "OpenPredicates",
      ]),
    library(
      "OpenStoreConformance",
      ["OpenStoreContract", "OpenObjectModel", "OpenPredicates"]),
    testLibrary("OpenGrammarTables", path: "Tests/GrammarTables"),
    testLibrary("PostgresTestServer", path: "Tests/PostgresServer"),
    // Classes with written-out accessors, generated from a model of the tests.
    .target(
      name: "ExpandedModel", dependencies: ["OpenCoreData"], path: "Tests/ExpandedModel",
      swiftSettings: settings),
    // The second process of tests with several processes, and the model that it shares with the
    // tests.
    .target(
      name: "ProcessModel", dependencies: ["OpenCoreData"], path: "Tests/ProcessModel",
      swiftSettings: settings),
    .executableTarget(
      name: "opencoredata-process",
      dependencies: [
        "ProcessModel", "CrashRecorder", "OpenCoreData", "OpenMigration", "OpenSQLiteStore",
        "OpenStoreContract", "OpenPersistenceKit", "OpenObjectModel", "COpenSQLite",
      ],
      path: "Tests/StoreProcess", swiftSettings: settings),
    // The processes that share a store on a server, and their model.
    .target(
      name: "FleetModel", dependencies: ["OpenCoreData", "OpenPostgresStore"],
      path: "Tests/FleetModel", swiftSettings: settings),
    .executableTarget(
      name: "opencoredata-fleet",
      dependencies: ["FleetModel", "OpenCoreData", "OpenStoreContract"],
      path: "Tests/FleetProcess", swiftSettings: settings),
    // Records the file writes of a process, and injects write errors.
    .target(name: "CrashRecorder", path: "Tests/CrashRecorder"),
    // The process whose file writes the crash tests record.
    .executableTarget(
      name: "opencoredata-crash", dependencies: ["CrashRecorder", "ProcessModel", "OpenCoreData"],
      path: "Tests/CrashProcess", swiftSettings: settings),
    // Tests
    tests("OpenPredicatesTests", ["OpenPredicates", "OpenGrammarTables"]),
    tests("OpenObjectModelTests", ["OpenObjectModel", "OpenPredicates"]),
    tests(
      "OpenMigrationTests",
      [
        "OpenCoreData", "OpenMigration", "OpenPersistenceKit", "OpenTestSupport",
        "OpenObjectGraph", "OpenSQLiteStore", "OpenStoreContract", "OpenObjectModel",
        "OpenPredicates", "COpenSQLite", "OpenPostgresStore", "PostgresTestServer",
      ]),
    tests(
      "OpenMacrosTests",
      ["OpenMacros", .product(name: "SwiftSyntaxMacrosTestSupport", package: "swift-syntax")]),
    tests(
      "OpenSQLCoreTests", ["OpenSQLCore", "OpenStoreContract", "OpenObjectModel", "OpenPredicates"]),
    tests(
      "OpenSQLiteStoreTests",
      [
        "OpenSQLiteStore", "OpenMemoryStore", "OpenAtomicStores", "OpenStoreConformance",
        "OpenSQLCore",
        "OpenStoreContract", "OpenObjectModel", "OpenPredicates", "COpenSQLite",
      ]),
    tests(
      "OpenPostgresStoreTests",
      [
        "OpenPostgresStore", "OpenMemoryStore", "OpenSQLiteStore", "OpenStoreConformance",
        "OpenCoreData", "OpenStoreContract", "OpenObjectModel", "OpenPredicates",
        "PostgresTestServer", "FleetModel", "opencoredata-fleet",
      ]),
    tests(
      "OpenFuzzTests",
      ["OpenCoreData", "OpenObjectModel", "OpenSQLiteStore", "OpenStoreConformance", "COpenSQLite"]),
    tests(
      "OpenObjectGraphTests",
      [
        "OpenCoreData", "OpenManagedMacros", "OpenTestSupport", "OpenObjectGraph",
        "OpenSQLiteStore", "OpenStoreContract", "OpenPredicates", "OpenGrammarTables",
        "COpenSQLite", "OpenPostgresStore", "PostgresTestServer",
        .product(name: "CoreMetrics", package: "swift-metrics"),
      ]),
    tests(
      "OpenProcessTests",
      [
        "opencoredata-process", "opencoredata-crash", "ProcessModel", "OpenCoreData",
        "OpenMigration", "OpenPersistenceKit", "OpenSQLiteStore", "OpenStoreContract",
        "COpenSQLite",
      ]),
    // Compiled with an older language mode: sources written for Apple's frameworks.
    .testTarget(
      name: "CoreDataTests", dependencies: ["CoreData", "OpenPersistenceKit", "OpenTestSupport"],
      resources: [.copy("AwfulModel.xcdatamodeld")],
      swiftSettings: strict + [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "ContextListingTests",
      dependencies: ["CoreData", "SwiftData", "OpenPersistenceKit", "OpenTestSupport"],
      swiftSettings: strict + [.swiftLanguageMode(.v5)]),
    tests(
      "OpenPersistenceKitTests",
      ["OpenPersistenceKit", "CoreData", "OpenStoreContract", "OpenTestSupport", "COpenSQLite"]),
    tests(
      "OpenStoreToolTests",
      [
        "OpenStoreTool", "coredata", "coredata-postgres", "OpenCoreData", "OpenObjectGraph",
        "OpenSQLCore", "OpenPostgresStore", "PostgresTestServer",
        "OpenStoreContract", "OpenObjectModel", "COpenSQLite",
      ]),
    tests(
      "OpenModelCodegenTests",
      [
        "OpenModelCodegen", "OpenObjectModel", "OpenSourceRewriter", "OpenCoreData",
        "ExpandedModel",
      ]),
    tests(
      "OpenSwiftDataTests",
      [
        "OpenSwiftData", "OpenCoreData", "OpenObjectGraph", "OpenObjectModel", "OpenPredicates",
        "OpenSQLiteStore", "OpenTestSupport",
      ]),
    // Sources of applications; not strict, because constants of models are a warning in this language mode.
    .testTarget(
      name: "SwiftDataTests", dependencies: ["SwiftData", "OpenPersistenceKit"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // Models in a module whose declarations belong to the main actor.
    .testTarget(
      name: "MainActorModelTests", dependencies: ["SwiftData"],
      swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
    tests("OpenObjectiveCNamesTests", ["OpenObjectiveCNames"]),
  ],
  swiftLanguageModes: [.v6]
)
