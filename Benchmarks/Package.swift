// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "OpenCoreData", path: "..")],
  targets: [
    .systemLibrary(
      name: "CBenchSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .executableTarget(
      name: "graph-bench",
      dependencies: ["CBenchSQLite", .product(name: "CoreData", package: "OpenCoreData")]),
  ],
  swiftLanguageModes: [.v6]
)
