// swift-tools-version: 6.2
import PackageDescription

var settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
if Context.environment["OPENCOREDATA_STRICT"] != nil {
  settings.append(.treatAllWarnings(as: .error))
}

/// Settings of the targets that read pages. A debug build optimizes them if the environment asks for it: of what long tests do, reading
/// pages takes the most time, and the compiler cannot build the tests for release.
let pageSettings =
  settings
  + (Context.environment["EXAMPLES_OPTIMIZED"] != nil ? [.unsafeFlags(["-O"])] : [])

/// Models are confined to an actor: their asynchronous functions run where their callers do.
let storySettings = settings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
  name: "Examples",
  products: [
    .executable(name: "awful", targets: ["awful"]),
    .executable(name: "kanora", targets: ["kanora"]),
    .executable(name: "forum-sim", targets: ["forum-sim"]),
    .executable(name: "music-service", targets: ["music-service"]),
    .executable(name: "stories", targets: ["stories"]),
    .library(name: "ForumSimulator", targets: ["ForumSimulator"]),
  ],
  dependencies: [
    .package(name: "OpenCoreData", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .systemLibrary(name: "CGumbo", pkgConfig: "gumbo", providers: [.apt(["libgumbo-dev"])]),
    .target(name: "ForumHTML", dependencies: ["CGumbo"], swiftSettings: pageSettings),
    .target(name: "ForumScraping", dependencies: ["ForumHTML"], swiftSettings: pageSettings),
    .target(name: "ForumClient", dependencies: ["ForumHTML"], swiftSettings: pageSettings),
    .target(
      name: "Loopback", dependencies: [.product(name: "FlyingFox", package: "FlyingFox")],
      swiftSettings: settings),
    .target(
      name: "ForumSimulator",
      dependencies: ["Loopback", .product(name: "FlyingFox", package: "FlyingFox")],
      swiftSettings: pageSettings),
    .target(
      name: "WebPages",
      dependencies: ["Loopback", .product(name: "FlyingFox", package: "FlyingFox")],
      resources: [
        .copy("Resources/base.css"), .copy("Resources/icon.svg"), .copy("Resources/live.js"),
      ],
      swiftSettings: settings),
    .target(
      name: "AwfulWeb",
      dependencies: [
        "AwfulCore", "ForumClient", "ForumHTML", "ForumScraping", "StoreSharing", "WebPages",
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
      ], resources: [.copy("Resources/awful.css")], swiftSettings: settings),
    .target(
      name: "StoreSharing",
      dependencies: [
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
      ], swiftSettings: settings),
    .target(
      name: "KanoraCore",
      dependencies: [
        "AudioFiles", "StoreSharing",
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
      ],
      resources: [.copy("Resources/Kanora.xcdatamodeld")], swiftSettings: settings),
    .target(
      name: "AwfulCore",
      dependencies: [
        "ForumScraping", "ForumClient", "StoreSharing",
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
      ],
      resources: [
        .copy("Resources/Awful.xcdatamodeld"), .copy("Resources/AwfulPersonal.xcdatamodeld"),
      ], swiftSettings: pageSettings),
    .systemLibrary(name: "CTagLib", pkgConfig: "taglib", providers: [.apt(["libtag1-dev"])]),
    .target(name: "CAudioTags", dependencies: ["CTagLib"]),
    .target(name: "AudioFiles", dependencies: ["CAudioTags"], swiftSettings: settings),
    .target(name: "TerminalView", swiftSettings: settings),
    .target(
      name: "CommandParts",
      dependencies: [
        "TerminalView", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: settings),
    .target(
      name: "StoriesCore",
      dependencies: [
        "StoreSharing",
        .product(name: "SwiftData", package: "OpenCoreData"),
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
        .product(name: "OpenStoreContract", package: "OpenCoreData"),
      ], swiftSettings: storySettings),
    .target(
      name: "StoriesWeb",
      dependencies: [
        "StoriesCore", "WebPages",
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
      ],
      resources: [
        .copy("Resources/dark.css"), .copy("Resources/light.css"), .copy("Resources/reader.js"),
        .copy("Resources/stories.css"),
      ], swiftSettings: settings),
    .target(
      name: "StoriesTerminal", dependencies: ["StoriesCore", "TerminalView"],
      swiftSettings: settings),
    .executableTarget(
      name: "stories",
      dependencies: [
        "CommandParts", "StoriesCore", "StoriesTerminal", "StoriesWeb", "WebPages",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
        .product(name: "CoreData", package: "OpenCoreData"),
      ], swiftSettings: settings),
    .testTarget(
      name: "StoriesWebTests",
      dependencies: [
        "stories", "stories-worker", "ForumHTML", "HostileMarkup", "StoriesCore",
        "StoriesTerminal", "StoriesWeb", "TerminalTrial", "WebPages", "WebTestClient",
      ], swiftSettings: settings),
    .target(
      name: "AwfulTerminal",
      dependencies: ["AwfulCore", "ForumHTML", "StoreSharing", "TerminalView"],
      swiftSettings: settings),
    .executableTarget(
      name: "awful",
      dependencies: [
        "AwfulCore", "AwfulWeb", "AwfulTerminal", "CommandParts", "ForumScraping", "ForumClient",
        "ForumHTML",
        "Loopback",
        "StoreSharing", "TerminalView",
        "WebPages",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
      ], swiftSettings: settings),
    .target(
      name: "KanoraWeb",
      dependencies: [
        "AudioFiles", "KanoraCore", "StoreSharing", "WebPages",
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
      ],
      resources: [
        .copy("Resources/kanora.css"), .copy("Resources/order.js"), .copy("Resources/player.js"),
      ],
      swiftSettings: settings),
    .target(
      name: "KanoraTerminal",
      dependencies: ["KanoraCore", "StoreSharing", "TerminalView", "WebPages"],
      swiftSettings: settings),
    .executableTarget(
      name: "kanora",
      dependencies: [
        "CommandParts", "KanoraCore", "KanoraTerminal", "KanoraWeb", "StoreSharing", "WebPages",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
      ], swiftSettings: settings),
    .testTarget(
      name: "KanoraWebTests",
      dependencies: [
        "ForumHTML", "HostileMarkup", "KanoraCore", "KanoraWeb", "StoreSharing", "WebPages",
        "WebTestClient",
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
      ], swiftSettings: settings),
    .target(
      name: "MusicService",
      dependencies: [
        "KanoraCore", "Loopback", "WebPages",
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
        .product(name: "OpenStoreContract", package: "OpenCoreData"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "FlyingFox", package: "FlyingFox"),
      ], swiftSettings: settings),
    .executableTarget(
      name: "music-service",
      dependencies: [
        "CommandParts", "MusicService",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "OpenPostgresStore", package: "OpenCoreData"),
      ], swiftSettings: settings),
    .testTarget(
      name: "MusicServiceProcessTests",
      dependencies: [
        "music-service", "KanoraCore", "WebTestClient",
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "OpenPostgresStore", package: "OpenCoreData"),
        .product(name: "PostgresTestServer", package: "OpenCoreData"),
      ], swiftSettings: settings),
    .executableTarget(
      name: "forum-sim",
      dependencies: [
        "CommandParts", "ForumSimulator",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: settings),
    .testTarget(
      name: "ForumClientTests", dependencies: ["ForumClient", "ForumSimulator", "AwfulCore"],
      swiftSettings: settings),
    .target(name: "HostileMarkup", path: "Tests/HostileMarkup", swiftSettings: settings),
    .testTarget(
      name: "ForumHTMLTests", dependencies: ["ForumHTML", "HostileMarkup"], swiftSettings: settings),
    .testTarget(
      name: "ForumScrapingTests", dependencies: ["ForumScraping", "ForumHTML"],
      swiftSettings: settings),
    .testTarget(
      name: "ForumSimulatorTests",
      dependencies: [
        "ForumSimulator", "ForumClient", "ForumScraping", "Loopback", "WebTestClient",
      ],
      swiftSettings: settings),
    .target(
      name: "TerminalTrial", dependencies: ["TerminalView"], path: "Tests/TerminalTrial",
      swiftSettings: settings),
    .testTarget(
      name: "TerminalViewTests", dependencies: ["TerminalTrial", "TerminalView"],
      swiftSettings: settings),
    .systemLibrary(name: "CFileUser", path: "Tests/CFileUser"),
    .target(
      name: "AudioSamples", dependencies: ["AudioFiles"], path: "Tests/AudioSamples",
      swiftSettings: settings),
    .executableTarget(
      name: "ScanProcess",
      dependencies: [
        "AudioSamples", "KanoraCore", .product(name: "CoreData", package: "OpenCoreData"),
      ], path: "Tests/ScanProcess", swiftSettings: settings),
    .target(
      name: "KanoraSamples",
      dependencies: [
        "KanoraCore", "StoreSharing", .product(name: "CoreData", package: "OpenCoreData"),
      ], path: "Tests/KanoraSamples", swiftSettings: settings),
    .testTarget(
      name: "KanoraProcessTests",
      dependencies: [
        "kanora", "AudioSamples", "CommandParts", "ForumHTML", "KanoraCore", "KanoraSamples",
        "KanoraWeb", "ScanProcess", "StoreSharing", "WebPages", "WebTestClient",
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
      ], swiftSettings: settings),
    .testTarget(
      name: "AudioFilesTests", dependencies: ["AudioFiles", "AudioSamples", "CFileUser"],
      swiftSettings: settings),
    .target(name: "WebTestClient", path: "Tests/WebTestClient", swiftSettings: settings),
    .testTarget(
      name: "WebPagesTests", dependencies: ["WebPages", "WebTestClient"], swiftSettings: settings),
    .testTarget(
      name: "AwfulWebTests",
      dependencies: [
        "AwfulWeb", "AwfulTerminal", "AwfulCore", "StoreSharing", "TerminalView", "WebPages",
        "WebTestClient", "ForumSimulator", "ForumClient",
        "ForumScraping", "ForumHTML", "HostileMarkup",
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
        .product(name: "CoreData", package: "OpenCoreData"),
      ], swiftSettings: settings),
    .testTarget(
      name: "AwfulProcessTests",
      dependencies: [
        "awful", "kanora", "stories", "forum-sim", "AwfulCore", "CommandParts", "ForumSimulator",
        "ForumClient", "HostileMarkup", "StoreSharing", "WebTestClient",
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
        .product(name: "CoreData", package: "OpenCoreData"),
      ], swiftSettings: settings),
    .executableTarget(
      name: "stories-worker", dependencies: ["StoriesCore"], path: "Tests/StoriesWorker",
      swiftSettings: storySettings),
    .testTarget(
      name: "StoriesCoreTests",
      dependencies: [
        "StoriesCore", "stories-worker",
        .product(name: "SwiftData", package: "OpenCoreData"),
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
        .product(name: "OpenTestSupport", package: "OpenCoreData"),
      ], swiftSettings: storySettings),
    .testTarget(
      name: "StoriesListingTests",
      dependencies: ["StoriesCore", .product(name: "SwiftData", package: "OpenCoreData")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "AwfulCoreTests",
      dependencies: [
        "AwfulCore", "ForumSimulator", "ForumClient", "ForumScraping", "StoreSharing",
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
        .product(name: "OpenTestSupport", package: "OpenCoreData"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "KanoraCoreTests",
      dependencies: [
        "AudioFiles", "AudioSamples", "KanoraCore", "KanoraSamples", "KanoraTerminal",
        "StoreSharing", "TerminalTrial", "TerminalView",
        .product(name: "CoreData", package: "OpenCoreData"),
        .product(name: "OpenPersistenceKit", package: "OpenCoreData"),
        .product(name: "OpenTestSupport", package: "OpenCoreData"),
      ], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
