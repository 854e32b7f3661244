// swift-tools-version: 6.2
import PackageDescription

// A server's package, outside of the tree: it names products of Baton and none of its targets.
let package = Package(
  name: "server",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "server", targets: ["Server"])],
  // Without HTTP's many packages.
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
