// swift-tools-version: 6.2
import PackageDescription

/// One set of settings for every target: Swift 6 mode, strict imports, warnings are errors.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// A library target; `sources` is its folder where that is not `Sources/<name>`.
func module(
  _ name: String, at path: String? = nil, imports: [Target.Dependency] = [],
  exclude: [String] = [], resources: [Resource] = [], plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name, dependencies: imports, path: path, exclude: exclude, resources: resources,
    swiftSettings: settings, plugins: plugins)
}

func tests(_ name: String, of imports: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: imports + ["TestSupport"], swiftSettings: settings)
}

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
/// Only in a build with the trait `ConfigurationFile`, which is on unless it is turned off.
let configuration = Target.Dependency.product(
  name: "Configuration", package: "swift-configuration",
  condition: .when(traits: ["ConfigurationFile"]))
let signals = Target.Dependency.product(
  name: "UnixSignals", package: "swift-service-lifecycle")

/// Only in a build that answers HTTP: with the trait `HTTP`, which is on unless it is turned off.
let http: [Target.Dependency] = [
  ("HummingbirdCore", "hummingbird"), ("HTTPTypes", "swift-http-types"), ("NIOCore", "swift-nio"),
  ("NIOPosix", "swift-nio"), ("NIOHTTPTypes", "swift-nio-extras"),
].map { .product(name: $0, package: $1, condition: .when(traits: ["HTTP"])) }
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")

/// What `--version` says the program was built from; `make release` and `make deb` set it.
let commit = Context.environment["BATON_COMMIT"].flatMap { $0.isEmpty ? nil : $0 }

let package = Package(
  name: "baton",
  platforms: [.macOS(.v15), .iOS(.v17)],
  products: [
    .executable(name: "baton", targets: ["GymRats"]),
    .executable(name: "whosthere", targets: ["WhosThere"]),
    .library(name: "Baton", targets: ["Baton", "JobCore", "JobRunner", "Postgres"]),
    .plugin(name: "EmbedSQL", targets: ["EmbedSQL"]),
    .library(name: "Claims", targets: ["Claims", "ClaimsSQL", "Postgres"]),
    .library(name: "Live", targets: ["Live", "Postgres"]),
    .library(name: "JobTesting", targets: ["JobTesting"]),
    .library(name: "Challenges", targets: ["Challenges"]),
    .library(name: "ChallengesTesting", targets: ["ChallengesTesting"]),
    .library(
      name: "ChallengesPostgres", targets: ["ChallengesPostgres", "Challenges", "Live", "Postgres"]),
    .library(name: "Presence", targets: ["Presence"]),
    .library(name: "PresenceTesting", targets: ["PresenceTesting"]),
    .library(
      name: "PresencePostgres", targets: ["PresencePostgres", "Presence", "Live", "Postgres"]),
    .library(name: "Operations", targets: ["Operations"]),
  ],
  traits: [
    .trait(
      name: "HTTP", description: "Answers HTTP: baton serve, worker --http. Needs Hummingbird."),
    .trait(
      name: "ConfigurationFile",
      description: "Reads a file of settings: --config. Needs swift-configuration."),
    .default(enabledTraits: ["ConfigurationFile", "HTTP"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
  ],
  targets: [
    // The client.
    .systemLibrary(
      name: "CLibPQ", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    module("Postgres", imports: ["CLibPQ"]),

    // Every statement we send, embedded from .sql files.
    module("RunnerSQL", at: "sql/runner", imports: ["Postgres"], plugins: ["EmbedSQL"]),
    module("ClaimsSQL", at: "sql/claims", imports: ["Postgres"], plugins: ["EmbedSQL"]),
    module(
      "ChallengesSQL", at: "sql/challenges", imports: ["Postgres"], plugins: ["EmbedSQL"]),
    module("PresenceSQL", at: "sql/presence", imports: ["Postgres"], plugins: ["EmbedSQL"]),
    module(
      "BenchSQL", at: "sql/bench", imports: ["Postgres"], exclude: ["raw/README.md"],
      plugins: ["EmbedSQL"]),
    .plugin(
      name: "EmbedSQL", capability: .buildTool(), dependencies: ["EmbedSQLTool"],
      path: "Sources/EmbedSQL"),
    .executableTarget(name: "EmbedSQLTool", swiftSettings: settings),

    // The runner.
    module("JobCore", imports: [logging]),
    module("JobRunner", imports: ["JobCore", "RunnerSQL", "Postgres", logging, metrics, tracing]),

    module("JobTesting", imports: ["JobRunner", "RunnerSQL", "Postgres", logging]),

    // What changes, followed by any number of observers on one connection; knows no job and no product.
    module("Live", imports: ["RunnerSQL", "Postgres"]),

    // For whom a transaction speaks; for any product with users of its own.
    module("SHA256"),
    module("Claims", imports: ["Postgres", "SHA256"]),

    // The domain.
    module("Challenges", imports: ["SHA256"]),
    module("ChallengesTesting", imports: ["Challenges", "SHA256"]),
    module("ChallengesPostgres", imports: ["Challenges", "ChallengesSQL", "Live", "Postgres"]),
    module("ChallengeJobs", at: "jobs/challenges", imports: ["JobCore", "Challenges", logging]),

    // The domain of another product: who is where.
    module("Presence"),
    module("PresenceTesting", imports: ["Presence"]),

    // The second product's domain; the library itself stands with those of apps.
    module(
      "PresencePostgres", imports: ["Live", "Presence", "PresenceSQL", "Postgres"]),
    module("PresenceJobs", at: "jobs/presence", imports: ["JobCore", "Presence", logging]),

    // The command line.
    .systemLibrary(name: "CProcess"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    module("PrivateServer"),
    // What `init` writes: the example's files, as text. The one source is a comment.
    .target(
      name: "BatonTemplate", path: "Examples/orders", sources: ["sql/OrdersSQL.swift"],
      swiftSettings: settings, plugins: ["EmbedTemplate"]),
    .plugin(
      name: "EmbedTemplate", capability: .buildTool(), dependencies: ["EmbedTemplateTool"],
      path: "Sources/EmbedTemplate"),
    .executableTarget(name: "EmbedTemplateTool", swiftSettings: settings),
    module("CheckIns", imports: ["CZlib", "JobCore"]),
    module(
      "Replay",
      imports: [
        "CheckIns", "JobCore", "JobRunner", "Challenges", "ChallengesPostgres", "RunnerSQL",
        "ChallengesSQL", "Postgres",
      ]),
    module(
      "Bench",
      imports: ["BenchSQL", "JobCore", "JobRunner", "PrivateServer", "Postgres", logging]),
    module(
      "Baton",
      imports: [
        "BatonTemplate", "Bench", "CProcess", "JobCore", "JobRunner", "PrivateServer", "Postgres",
        argumentParser, configuration, logging, signals,
      ]),
    // HTTP for whoever is on duty: health, metrics, pages. A program names it; without the trait nothing answers.
    module(
      "Operations",
      imports: ["Baton", "JobCore", "JobRunner", "Postgres", metrics, logging] + http,
      resources: ["baton.css", "baton.js", "baton.svg"].map { .embedInCode("Assets/\($0)") }),
    .target(
      name: "CVersion",
      cSettings: commit.map {
        [.define("BATON_COMMIT", to: "\"\($0)\"")]
      } ?? []),
    .executableTarget(
      name: "GymRats",
      dependencies: [
        "Baton", "Bench", "ChallengeJobs", "ClaimsSQL", "CVersion", "JobCore", "JobRunner",
        "Challenges", "ChallengesPostgres", "ChallengesSQL", "CheckIns", "Operations",
        "PrivateServer", "Replay", "Postgres", argumentParser, signals,
      ],
      swiftSettings: settings),

    .executableTarget(
      name: "WhosThere",
      dependencies: [
        "Baton", "Bench", "CheckIns", "CVersion", "ClaimsSQL", "JobCore", "JobRunner",
        "Operations", "Postgres", "Presence", "PresenceJobs", "PresencePostgres", "PresenceSQL",
        "PrivateServer", argumentParser,
      ],
      swiftSettings: settings),

    // Tests: real PostgreSQL, real processes.
    module(
      "TestSupport", at: "Tests/Support",
      imports: [
        "Postgres", "RunnerSQL", "ClaimsSQL", "ChallengesSQL", "JobRunner", "JobTesting",
        "PrivateServer",
      ]),
    .executableTarget(
      name: "CrashingWorker", dependencies: ["JobCore", "JobRunner", "Postgres", logging],
      path: "Tests/CrashingWorker", swiftSettings: settings),
    .executableTarget(
      name: "PrintingProgram", dependencies: ["Baton"], path: "Tests/PrintingProgram",
      swiftSettings: settings),
    tests("PostgresTests", of: ["Postgres", "RunnerSQL", "ChallengesSQL"]),
    .executableTarget(
      name: "mutants", dependencies: [argumentParser], path: "Tests/MutantTool",
      swiftSettings: settings),
    .executableTarget(name: "guide", path: "Tests/GuideTool", swiftSettings: settings),
    .testTarget(name: "TidyTests", dependencies: ["guide", "mutants"], swiftSettings: settings),
    .testTarget(name: "JobCoreTests", dependencies: ["JobCore", logging], swiftSettings: settings),
    tests(
      "JobRunnerTests",
      of: [
        "JobCore", "JobRunner", "JobTesting", "Postgres", "RunnerSQL", "ClaimsSQL",
        "ChallengesSQL", "PresenceSQL", logging, tracing,
      ]),
    tests(
      "JobsTests",
      of: ["ChallengeJobs", "GymRats", "JobCore", "JobRunner", "JobTesting", "Postgres"]),
    tests(
      "ChallengesTests",
      of: [
        "Challenges", "ChallengesPostgres", "ChallengesTesting", "Claims", "Live", "Postgres",
        "RunnerSQL", "ChallengesSQL",
      ]),
    // The client's half: no server, no TestSupport.
    .executableTarget(
      name: "QueueWriter", dependencies: ["Challenges"], path: "Tests/QueueWriter",
      swiftSettings: settings),
    .testTarget(
      name: "ChallengesClientTests",
      dependencies: ["Challenges", "ChallengesTesting", "QueueWriter", "SHA256"],
      swiftSettings: settings),
    .testTarget(
      name: "PresenceClientTests", dependencies: ["Presence", "PresenceTesting"],
      swiftSettings: settings),
    tests(
      "PresenceTests",
      of: [
        "Claims", "ClaimsSQL", "JobRunner", "JobTesting", "Postgres", "Presence", "PresenceJobs",
        "PresencePostgres", "PresenceSQL", "PresenceTesting", "PrivateServer", "WhosThere",
      ]),
    tests("ClaimsTests", of: ["Claims", "ClaimsSQL", "JobRunner", "Postgres"]),
    tests("LiveTests", of: ["Live", "Postgres"]),
    tests(
      "OperationsTests",
      of: ["Baton", "JobCore", "JobRunner", "Operations", "Postgres", logging, metrics]),
    tests("CheckInsTests", of: ["CheckIns"]),
    tests(
      "SystemTests",
      of: [
        "PrivateServer", "Postgres", "RunnerSQL", "ClaimsSQL", "ChallengesSQL", "BenchSQL",
        "JobRunner", "Baton", "GymRats", "PrintingProgram", "guide",
      ]),
    tests(
      "FaultTests",
      of: [
        "JobCore", "JobRunner", "Postgres", "RunnerSQL", "PrivateServer", "Challenges",
        "ChallengesPostgres", "Claims", "GymRats", "CrashingWorker", logging,
      ]),
  ]
)
