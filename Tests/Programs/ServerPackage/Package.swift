// swift-tools-version: 6.2
import PackageDescription

// A server's package outside the source tree. It uses only products of Baton, and none of its
// targets.
let package = Package(
  name: "server",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "server", targets: ["Server"])],
  // Without the many packages of HTTP.
  dependencies: [.package(name: "baton", path: "../../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Server",
      dependencies: [
        .product(name: "ChallengesPostgres", package: "baton"),
        .product(name: "PresencePostgres", package: "baton"),
      ],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")])
  ],
  swiftLanguageModes: [.v6]
)
