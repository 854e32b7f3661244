// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "orders",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "orders", targets: ["Orders"])],
  // `path` is the path of the clone of Baton. `name` is set, because the folder of the clone can
  // have any name. With `traits: []`, this package does not depend on the packages for HTTP.
  dependencies: [
    .package(name: "baton", path: "../..", traits: []),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    // The plugin turns the `.sql` files into `SQL.orders` and `SQL.Parcels`.
    .target(
      name: "OrdersSQL",
      dependencies: [.product(name: "BatonPostgres", package: "baton")],
      path: "sql",
      plugins: [.plugin(name: "EmbedSQL", package: "baton")]),
    .executableTarget(
      name: "Orders",
      dependencies: [
        "OrdersSQL",
        .product(name: "Baton", package: "baton"),
        .product(name: "BatonJobs", package: "baton"),
        .product(name: "BatonPostgres", package: "baton"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(
      name: "OrdersTests",
      dependencies: ["Orders", .product(name: "JobTesting", package: "baton")]),
  ],
  swiftLanguageModes: [.v6]
)
