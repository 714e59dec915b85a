// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "OpenCoreData", path: "..")],
  targets: [
    .systemLibrary(
      name: "CBenchSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CBenchPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "BenchModel",
      dependencies: [
        "CBenchSQLite", "CCounting",
        .product(name: "OpenBuiltInStores", package: "OpenCoreData"),
      ]),
    .executableTarget(
      name: "graph-bench",
      dependencies: [
        "BenchModel", "CBenchPostgres", "CBenchSQLite",
        .product(name: "OpenBuiltInStores", package: "OpenCoreData"),
        .product(name: "OpenCoreData", package: "OpenCoreData"),
        .product(name: "OpenPostgresStore", package: "OpenCoreData"),
      ]),
    .executableTarget(
      name: "model-bench",
      dependencies: [
        "BenchModel", .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "SwiftData", package: "OpenCoreData"),
      ]),
    .target(name: "CCounting"),
    // Built without the macros, because their dependencies take much longer to build than this target.
    .executableTarget(
      name: "hot-paths",
      dependencies: [
        "BenchModel", "CBenchSQLite", "CCounting",
        .product(name: "OpenBuiltInStores", package: "OpenCoreData"),
        .product(name: "OpenStoreContract", package: "OpenCoreData"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
