// swift-tools-version: 6.2
import PackageDescription

// Model layers written as for Apple's Core Data, built with the ModelCodegen plug-in. This is a
// separate package, like the packages of the plug-in's users.

let strict: [SwiftSetting] =
  Context.environment["OPENCOREDATA_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

/// Applications for Apple systems are mostly compiled in this language mode.
let settings: [SwiftSetting] = strict + [.swiftLanguageMode(.v5)]

/// Set by the test of the message for a forgotten exclude.
let forgetsExclude = Context.environment["OPENCOREDATA_FORGET_EXCLUDE"] != nil

let package = Package(
  name: "AppleSources",
  dependencies: [.package(name: "OpenCoreData", path: "../..")],
  targets: [
    .target(
      name: "LibraryModel", dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
      exclude: (forgetsExclude ? [] : ["AppleSources"])
        + ["Library.xcdatamodeld", "Library1To2.xcmappingmodel"],
      swiftSettings: settings,
      plugins: [.plugin(name: "ModelCodegen", package: "OpenCoreData")]),
    .target(
      name: "SeedListings", dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
      exclude: ["AppleSources", "opencoredata.json"],
      resources: [.copy("AwfulModel.xcdatamodeld")],
      swiftSettings: settings,
      plugins: [.plugin(name: "ModelCodegen", package: "OpenCoreData")]),
    // A program, with a class that is not rewritten, and with the setting "expanded".
    .executableTarget(
      name: "Leaves", dependencies: [.product(name: "CoreData", package: "OpenCoreData")],
      exclude: ["AppleSources", "Leaves.xcdatamodeld", "opencoredata.json"],
      swiftSettings: settings,
      plugins: [.plugin(name: "ModelCodegen", package: "OpenCoreData")]),
    .testTarget(
      name: "LeavesTests",
      dependencies: ["Leaves", .product(name: "CoreData", package: "OpenCoreData")],
      swiftSettings: settings),
    .testTarget(
      name: "LibraryModelTests",
      dependencies: ["LibraryModel", .product(name: "CoreData", package: "OpenCoreData")],
      swiftSettings: settings),
    .testTarget(
      name: "SeedListingsTests",
      dependencies: ["SeedListings", .product(name: "CoreData", package: "OpenCoreData")],
      swiftSettings: settings),
  ]
)
