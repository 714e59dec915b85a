// swift-tools-version: 6.2
import PackageDescription

// A separate package, because its flags are unsafe and its target is never part of a product.
let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "OpenCoreData", path: "..")],
  targets: [
    .executableTarget(
      name: "Fuzzer",
      dependencies: [.product(name: "OpenBuiltInStores", package: "OpenCoreData")],
      swiftSettings: [
        .unsafeFlags(["-sanitize=fuzzer"]),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])])
  ],
  swiftLanguageModes: [.v6]
)
