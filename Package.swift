// swift-tools-version: 6.2
import PackageDescription

/// The settings of all targets: Swift 6 mode, strict imports, and warnings as errors.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// The part of the package whose folder in `Sources` or `Tests` contains the folder of a target.
///
/// The engine is the job runner, which depends on no product. The products are GymRats for social
/// challenges and Who's There for presence, and `shared` is the code that both products use.
/// `build` contains the build plugins, the C libraries and the version, `programs` the tests that
/// start complete programs, and `tools` the tools for this repository.
enum Owner: String {
  case engine = "Engine"
  case gymRats = "GymRats"
  case whosThere = "WhosThere"
  case shared = "Shared"
  case build = "Build"
  case programs = "Programs"
  case tools = "Tools"
}

/// Returns a library target, whose default folder is in `Sources`.
func module(
  _ name: String, of owner: Owner, at path: String? = nil, imports: [Target.Dependency] = [],
  resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: imports, path: path ?? "Sources/\(owner.rawValue)/\(name)",
    resources: resources, swiftSettings: settings)
}

/// Returns a target in which the statements of a folder in `sql` are Swift constants.
func statements(_ name: String, at path: String, exclude: [String] = []) -> Target {
  .target(
    name: name, dependencies: ["BatonPostgres"], path: path, exclude: exclude,
    swiftSettings: settings, plugins: ["EmbedSQL"])
}

/// Returns an executable target.
func program(
  _ name: String, of owner: Owner, in folder: String = "Sources",
  imports: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: imports, path: "\(folder)/\(owner.rawValue)/\(name)",
    resources: resources, swiftSettings: settings)
}

/// Returns a test target, which depends on `TestSupport` if the tests need a server.
func tests(
  _ name: String, of owner: Owner, imports: [Target.Dependency], needServer: Bool = true
) -> Target {
  .testTarget(
    name: name, dependencies: imports + (needServer ? ["TestSupport"] : []),
    path: "Tests/\(owner.rawValue)/\(name)", swiftSettings: settings)
}

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
/// The dependency on the library for configuration files, if its trait is enabled (the default).
let configuration = Target.Dependency.product(
  name: "Configuration", package: "swift-configuration",
  condition: .when(traits: ["ConfigurationFile"]))
let signals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
/// The libraries of HTTP servers and of Linux's HTTP client, with the trait `HTTP` (the default).
let http: [Target.Dependency] = [
  ("HummingbirdCore", "hummingbird"), ("HTTPTypes", "swift-http-types"), ("NIOCore", "swift-nio"),
  ("NIOPosix", "swift-nio"), ("NIOHTTPTypes", "swift-nio-extras"), ("CryptoExtras", "swift-crypto"),
].map { .product(name: $0, package: $1, condition: .when(traits: ["HTTP"])) }
let client: [Target.Dependency] = [
  ("AsyncHTTPClient", "async-http-client"), ("NIOCore", "swift-nio"), ("NIOHTTP1", "swift-nio"),
].map { .product(name: $0, package: $1, condition: .when(platforms: [.linux], traits: ["HTTP"])) }
/// The libraries of a test server with HTTP/2 and TLS, and of a client that trusts the test server.
let http2: [Target.Dependency] = [
  ("AsyncHTTPClient", "async-http-client"), ("NIOHTTP1", "swift-nio"),
  ("NIOHTTP2", "swift-nio-http2"), ("NIOSSL", "swift-nio-ssl"),
].map { .product(name: $0, package: $1, condition: .when(traits: ["HTTP"])) }
/// The dependency on the library whose service groups run a worker together with an HTTP server.
let services = Target.Dependency.product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["HTTP"]))
/// The dependency on the library that verifies the tokens of identity providers.
let tokens = Target.Dependency.product(
  name: "JWTKit", package: "jwt-kit", condition: .when(traits: ["HTTP"]))
/// The dependency on the library with which a documented payload type encrypts its value.
let encryption = Target.Dependency.product(
  name: "Crypto", package: "swift-crypto", condition: .when(traits: ["HTTP"]))
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")

/// The commit that `--version` prints, which `make release` and `make deb` set.
let commit = Context.environment["BATON_COMMIT"].flatMap { $0.isEmpty ? nil : $0 }
/// The modules that the library of each product's server contains.
let ofServers = ["ProductKit", "BatonLive", "BatonPostgres"]
/// The modules that a program with jobs uses.
let runner: [Target.Dependency] = ["BatonJobs", "BatonPostgres", "JobRunner"]
/// The statements of all schema modules.
let allSQL: [Target.Dependency] = ["RunnerSQL", "IdentitySQL", "ChallengesSQL", "PresenceSQL"]

let package = Package(
  name: "baton",
  platforms: [.macOS(.v15), .iOS(.v17)],
  products: [
    .executable(name: "baton", targets: ["EngineProgram"]),
    .executable(name: "gymrats", targets: ["GymRats"]),
    .executable(name: "whosthere", targets: ["WhosThere"]),
    // Libraries for authors of jobs, for programs that contain a worker, and for tests
    .library(name: "BatonJobs", targets: ["BatonJobs"]),
    .library(name: "Baton", targets: ["Baton", "BatonJobs", "JobRunner"]),
    .library(name: "JobTesting", targets: ["JobTesting"]),
    // Libraries that are parts of the engine and that a program can use separately
    .library(name: "BatonPostgres", targets: ["BatonPostgres"]),
    .plugin(name: "EmbedSQL", targets: ["EmbedSQL"]),
    .library(name: "BatonIdentity", targets: ["BatonIdentity", "IdentitySQL", "BatonPostgres"]),
    .library(name: "BatonLive", targets: ["BatonLive", "BatonPostgres"]),
    // Libraries of GymRats and Who's There for apps, for tests of apps, and for servers
    .library(name: "ChallengesApp", targets: ["ChallengesApp", "Challenges", "ProductKit"]),
    .library(name: "ChallengesTesting", targets: ["ChallengesTesting"]),
    .library(
      name: "ChallengesPostgres",
      targets: ["ChallengesPostgres", "ChallengesServer", "Challenges"] + ofServers),
    .library(name: "ChallengesHTTP", targets: ["ChallengesHTTP", "ProductHTTP", "Challenges"]),
    .library(name: "PresenceApp", targets: ["PresenceApp", "Presence", "ProductKit"]),
    .library(name: "PresenceHTTP", targets: ["PresenceHTTP", "ProductHTTP", "Presence"]),
    .library(name: "PresenceTesting", targets: ["PresenceTesting"]),
    .library(
      name: "PresencePostgres",
      targets: ["PresencePostgres", "PresenceServer", "Presence"] + ofServers),
    .library(name: "BatonOperations", targets: ["BatonOperations"]),
  ],
  traits: [
    .trait(
      name: "HTTP",
      description: "HTTP servers and clients. A worker is a Service. Needs Hummingbird and NIO."),
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
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
  ],
  targets: [
    // Target for arithmetic with dates, which clients, jobs and products use
    module("CivilTime", of: .engine),

    // Targets of the PostgreSQL client
    .systemLibrary(
      name: "CLibPQ", path: "Sources/Build/CLibPQ", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .systemLibrary(name: "CProcess", path: "Sources/Build/CProcess"),
    module(
      "BatonPostgres", of: .engine,
      imports: [
        "CivilTime", "CLibPQ", .target(name: "CProcess", condition: .when(platforms: [.linux])),
      ]),
    // Targets of the SQL statements, which a plugin embeds from .sql files
    statements("RunnerSQL", at: "sql/runner"),
    statements("IdentitySQL", at: "sql/identity"),
    statements("ChallengesSQL", at: "sql/challenges"),
    statements("PresenceSQL", at: "sql/presence"),
    statements("BenchSQL", at: "sql/bench", exclude: ["raw/README.md"]),
    .plugin(
      name: "EmbedSQL", capability: .buildTool(), dependencies: ["EmbedSQLTool"],
      path: "Sources/Build/EmbedSQL"),
    program("EmbedSQLTool", of: .build),
    // Targets of the job runner
    module("BatonJobs", of: .engine, imports: ["CivilTime", logging]),
    module(
      "JobRunner", of: .engine,
      imports: [
        "BatonJobs", "CivilTime", "RunnerSQL", "BatonPostgres", logging, metrics, services, tracing,
      ]),
    module("JobTesting", of: .engine, imports: runner + ["RunnerSQL", logging]),
    // Target for change streams, which serve any number of observers on one connection
    module("BatonLive", of: .engine, imports: ["BatonJobs", "RunnerSQL", "BatonPostgres"]),
    // Targets of signed identity tokens, for products with users
    module("SHA256", of: .engine),
    module("BatonIdentity", of: .engine, imports: ["BatonPostgres", "SHA256"]),

    // Targets of the command line
    module("PrivateServer", of: .engine),
    // Target with the files of the example as text, which `baton init` writes
    .target(
      name: "BatonTemplate", path: "Examples/orders", sources: ["sql/OrdersSQL.swift"],
      swiftSettings: settings, plugins: ["EmbedTemplate"]),
    .plugin(
      name: "EmbedTemplate", capability: .buildTool(), dependencies: ["EmbedTemplateTool"],
      path: "Sources/Build/EmbedTemplate"),
    program("EmbedTemplateTool", of: .build),
    module("Bench", of: .engine, imports: runner + ["BenchSQL", "PrivateServer", logging]),
    module(
      "Baton", of: .engine,
      imports: runner + [
        "BatonTemplate", "Bench", "CProcess", "PrivateServer", "RunnerSQL", argumentParser,
        configuration, logging, signals,
      ]),
    // Target for the operators' HTTP endpoints, which start no server without the trait HTTP
    module(
      "BatonOperations", of: .engine,
      imports: ["Baton", "BatonJobs", "JobRunner", "BatonPostgres", metrics, logging] + http,
      resources: ["baton.css", "baton.js", "baton.svg"].map { .embedInCode("Assets/\($0)") }),
    .target(
      name: "CVersion", path: "Sources/Build/CVersion",
      cSettings: commit.map { [.define("BATON_COMMIT", to: "\"\($0)\"")] } ?? []),
    // Target of the program `baton`, which contains no product
    program(
      "EngineProgram", of: .engine, imports: ["Baton", "BatonOperations", "CVersion", "JobRunner"]),
    // Targets of both products, for apps, servers, replays and tests
    module("ProductKit", of: .shared, imports: ["CivilTime"]),
    module("ProductHTTP", of: .shared, imports: client),
    module(
      "ProductPostgres", of: .shared,
      imports: ["BatonLive", "BatonPostgres", "IdentitySQL", "RunnerSQL"]),
    // Target for the commands that both products have
    module(
      "ProductCommands", of: .shared,
      imports: ["Baton", "BatonPostgres", "JobRunner", "ProductPostgres", argumentParser]),
    // Target for the products' HTTP APIs
    module(
      "ProductAPI", of: .shared,
      imports: [
        "Baton", "BatonIdentity", "BatonLive", "BatonOperations", "BatonPostgres", "CZlib",
        "ProductKit", "ProductPostgres", "SHA256", argumentParser, logging, metrics, tokens,
        tracing,
      ] + http),
    module(
      "ProductPush", of: .shared,
      imports: ["BatonIdentity", "BatonJobs", "BatonPostgres", "JobRunner", logging, tokens]
        + client),
    .systemLibrary(
      name: "CZlib", path: "Sources/Build/CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"])]),
    module("CheckIns", of: .shared, imports: ["CivilTime", "CZlib"]),

    // Targets of GymRats, the product for social challenges
    module("Challenges", of: .gymRats, imports: ["ProductKit", "SHA256"]),
    module(
      "ChallengesApp", of: .gymRats, imports: ["Challenges", "CivilTime", "ProductKit", "SHA256"]),
    module("ChallengesHTTP", of: .gymRats, imports: ["Challenges", "ProductHTTP"]),
    module("ChallengesServer", of: .gymRats, imports: ["Challenges", "CivilTime", "ProductKit"]),
    module(
      "ChallengesTesting", of: .gymRats,
      imports: ["Challenges", "ChallengesApp", "ProductKit", "SHA256"]),
    module(
      "ChallengesPostgres", of: .gymRats,
      imports: [
        "Challenges", "ChallengesServer", "ChallengesSQL", "BatonLive", "BatonPostgres",
        "ProductKit", "ProductPostgres",
      ]),
    module(
      "ChallengeJobs", of: .gymRats, at: "jobs/challenges",
      imports: ["BatonJobs", "Challenges", "ChallengesServer", "ProductPush", logging]),
    module(
      "Replay", of: .gymRats,
      imports: [
        "CheckIns", "CivilTime", "BatonJobs", "JobRunner", "Challenges", "ChallengesPostgres",
        "RunnerSQL", "ChallengesSQL", "BatonPostgres",
      ]),
    program(
      "GymRats", of: .gymRats,
      imports: runner + client + [
        "Baton", "Bench", "ChallengeJobs", "IdentitySQL", "CVersion", "Challenges",
        "ChallengesHTTP", "ChallengesPostgres", "ChallengesServer", "ChallengesSQL", "CheckIns",
        "BatonOperations", "ProductAPI", "ProductCommands", "ProductHTTP", "ProductKit",
        "PrivateServer", "Replay", "ProductPostgres", "ProductPush", argumentParser, tokens,
      ],
      // The page of the demo, which is embedded in the program.
      resources: ["phone.html", "phone.css", "phone.js"].map { .embedInCode("Demo/Page/\($0)") }),

    // Targets of Who's There, the product for presence
    module("Presence", of: .whosThere, imports: ["ProductKit"]),
    module("PresenceApp", of: .whosThere, imports: ["Presence", "ProductKit"]),
    module("PresenceHTTP", of: .whosThere, imports: ["Presence", "ProductHTTP"]),
    module("PresenceServer", of: .whosThere, imports: ["Presence"]),
    module("PresenceTesting", of: .whosThere, imports: ["Presence", "PresenceApp", "ProductKit"]),
    module(
      "PresencePostgres", of: .whosThere,
      imports: [
        "BatonLive", "Presence", "PresenceServer", "PresenceSQL", "BatonPostgres", "ProductKit",
        "ProductPostgres",
      ]),
    module(
      "PresenceJobs", of: .whosThere, at: "jobs/presence",
      imports: ["BatonJobs", "Presence", "PresenceServer", "ProductPush", logging]),
    program(
      "WhosThere", of: .whosThere,
      imports: [
        "Baton", "Bench", "CheckIns", "CVersion", "IdentitySQL", "BatonJobs", "JobRunner",
        "BatonOperations", "BatonPostgres", "Presence", "PresenceJobs", "PresencePostgres",
        "PresenceServer", "PresenceSQL", "PrivateServer", "ProductAPI", "ProductCommands",
        "ProductKit", "ProductPush", "ProductPostgres", "SHA256", argumentParser,
      ]),

    // Targets of tests, which use a real PostgreSQL server and real processes
    module(
      "TestSupport", of: .engine, at: "Tests/Support",
      imports: runner + allSQL + ["JobTesting", "PrivateServer", logging, tokens, tracing]),
    tests(
      "BatonPostgresTests", of: .engine, imports: ["BatonPostgres", "RunnerSQL", "ChallengesSQL"]),
    tests("BatonJobsTests", of: .engine, imports: ["BatonJobs", logging], needServer: false),
    tests(
      "JobRunnerTests", of: .engine,
      imports: runner + allSQL + [
        "BatonLive", "JobTesting", "RandomJobs", "CrashingWorker", logging, services, tracing,
        encryption,
      ]),
    tests("BatonIdentityTests", of: .engine, imports: runner + ["BatonIdentity", "IdentitySQL"]),
    tests("BatonLiveTests", of: .engine, imports: ["BatonLive", "BatonPostgres"]),
    tests(
      "BatonOperationsTests", of: .engine,
      imports: runner + ["Baton", "BatonOperations", logging, metrics]),
    // The random jobs of the engine's random test and its worker processes
    module("RandomJobs", of: .engine, at: "Tests/Engine/RandomJobs", imports: runner),
    program(
      "CrashingWorker", of: .engine, in: "Tests", imports: runner + ["RandomJobs", logging]),
    tests(
      "FaultTests", of: .engine,
      imports: runner + [
        "RunnerSQL", "PrivateServer", "Challenges", "ChallengesPostgres", "BatonIdentity",
        "GymRats", "CrashingWorker", logging,
      ]),
    .target(name: "TestDice", path: "Tests/Shared/TestDice", swiftSettings: settings),
    tests("CheckInsTests", of: .shared, imports: ["CheckIns"]),
    tests(
      "JobsTests", of: .gymRats,
      imports: runner + http + http2
        + ["ChallengeJobs", "GymRats", "JobTesting", "BatonIdentity", "ProductPush", tokens]),
    tests(
      "ChallengesTests", of: .gymRats,
      imports: [
        "Challenges", "ChallengesHTTP", "ChallengesPostgres", "ChallengesServer",
        "ChallengesTesting", "GymRats", "ProductHTTP", "ProductPostgres", "BatonIdentity",
        "BatonLive", "BatonPostgres", "RunnerSQL", "ChallengesSQL",
      ]),
    program("QueueWriter", of: .gymRats, in: "Tests", imports: ["Challenges", "ChallengesApp"]),
    tests(
      "ChallengesClientTests", of: .gymRats,
      imports: [
        "Challenges", "ChallengesApp", "ChallengesTesting", "QueueWriter", "SHA256", "TestDice",
      ], needServer: false),
    tests(
      "PresenceTests", of: .whosThere,
      imports: runner + allSQL + [
        "BatonLive", "BatonIdentity", "JobTesting", "Presence", "PresenceHTTP", "PresenceJobs",
        "PresencePostgres", "PresenceServer", "PresenceTesting", "PrivateServer", "ProductHTTP",
        "ProductPostgres", "ProductPush", "WhosThere",
      ]),
    tests(
      "PresenceClientTests", of: .whosThere,
      imports: ["Presence", "PresenceApp", "PresenceTesting", "TestDice"], needServer: false),
    program("PrintingProgram", of: .programs, in: "Tests", imports: ["Baton", "BatonPostgres"]),
    // A program whose release is set by an environment variable, for tests of rolling deployments.
    program(
      "ReleasedProgram", of: .programs, in: "Tests",
      imports: ["Baton", "BatonOperations", "BatonPostgres"]),
    // A Hummingbird program that contains a worker. docs/guides/embedding.md quotes the program.
    program(
      "EmbeddedProgram", of: .programs, in: "Tests",
      imports: [
        "BatonJobs", "BatonPostgres", "JobRunner", logging,
        .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["HTTP"])),
      ]),
    tests(
      "SystemTests", of: .programs,
      imports: runner + allSQL + [
        "PrivateServer", "BenchSQL", "Baton", "GymRats", "EmbeddedProgram", "PrintingProgram",
        "Challenges", "ChallengesApp", "ChallengesHTTP", "ProductAPI", "ProductHTTP",
        "ProductPostgres", "ReleasedProgram", "guide", tokens, tracing,
      ]),
    .executableTarget(
      name: "mutants", dependencies: [argumentParser], path: "Tests/Tools/MutantTool",
      swiftSettings: settings),
    .executableTarget(name: "guide", path: "Tests/Tools/GuideTool", swiftSettings: settings),
    tests("TidyTests", of: .tools, imports: ["guide", "mutants"]),
  ]
)
