// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "invoices",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "invoices", targets: ["Invoices"])],
  // `path` is the path of the clone of Baton. With `traits: []`, this package does not depend on the
  // packages for HTTP.
  dependencies: [.package(name: "baton", path: "../..", traits: [])],
  targets: [
    // The plugin turns the `.sql` files into `SQL.invoices`, `SQL.Reminders` and other constants.
    .target(
      name: "InvoicesSQL",
      dependencies: [.product(name: "BatonPostgres", package: "baton")],
      path: "sql",
      plugins: [.plugin(name: "EmbedSQL", package: "baton")]),
    .executableTarget(
      name: "Invoices",
      dependencies: [
        "InvoicesSQL",
        .product(name: "Baton", package: "baton"),
        .product(name: "BatonJobs", package: "baton"),
        .product(name: "BatonPostgres", package: "baton"),
      ]),
    .testTarget(
      name: "InvoicesTests",
      dependencies: ["Invoices", .product(name: "JobTesting", package: "baton")]),
  ],
  swiftLanguageModes: [.v6]
)
