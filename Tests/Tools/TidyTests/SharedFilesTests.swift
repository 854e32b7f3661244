import Foundation
import TestSupport
import Testing

/// Tests that SQL which both products use exists once, in `sql/shared`.
///
/// In the products' folders, the files are links. The tests of GymRats' SQL functions therefore also
/// test these functions of Who's There.
@Suite(.ownThreads) struct SharedFilesTests {
  private static let products = ["challenges", "presence"]

  /// Returns the SQL files below a folder in `sql`, by their path below the folder.
  private static func files(of folder: String) throws -> [String] {
    let path = Checkout.root.appending(path: "sql/\(folder)").path(percentEncoded: false)
    return try FileManager.default.subpathsOfDirectory(atPath: path)
      .filter { $0.hasSuffix(".sql") }.sorted()
  }

  /// Returns the path below `sql/shared` to which a file links, or nil if the file is not a link.
  private static func target(of path: String) throws -> String? {
    let full = Checkout.root.appending(path: path).path(percentEncoded: false)
    guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: full) else {
      return nil
    }
    let prefix = "../../shared/"
    try #require(target.hasPrefix(prefix), "\(path) links to \(target)")
    return String(target.dropFirst(prefix.count))
  }

  @Test(arguments: products)
  func `a product links to each shared file`(product: String) throws {
    let shared = try Self.files(of: "shared")
    #expect(shared.count > 20)
    let linked = try Self.files(of: product).compactMap {
      try Self.target(of: "sql/\(product)/\($0)")
    }
    #expect(linked.sorted() == shared)
  }

  @Test func `no other file is the same in both products`() throws {
    let both = Set(try Self.files(of: Self.products[0]))
      .intersection(try Self.files(of: Self.products[1]))
    #expect(both.count > 50)
    for path in both.sorted() where try Self.target(of: "sql/challenges/\(path)") == nil {
      #expect(
        try Checkout.text("sql/challenges/\(path)") != Checkout.text("sql/presence/\(path)"),
        "Move the file to sql/shared/\(path), and link to the file from both products.")
    }
  }

  @Test func `both products have the same tables for push devices`() throws {
    func tables(_ path: String) throws -> [String] {
      try Checkout.text(path).matches(of: /(?s)create table \w+ \(.*?\n\);/).map {
        String($0.output)
      }
    }
    let gymRats = try tables("sql/challenges/migrations/0018_register_push_devices.sql")
    #expect(gymRats.count == 2)
    #expect(gymRats == (try tables("sql/presence/migrations/0013_register_push_devices.sql")))
  }
}
