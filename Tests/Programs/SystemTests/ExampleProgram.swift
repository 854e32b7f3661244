import Foundation
import TestSupport

/// What `Tests/run` builds of `Examples/orders`, and of the copy that has a job more.
///
/// Scratch paths of their own, because these tests may hold the lock of ours.
enum ExampleProgram {
  /// The tree.
  static let root = Checkout.root

  /// Where the example is built.
  static let built = root.appending(path: ".build/examples/debug")
  /// The copy to which a job was added; `built` in it holds its program and its tests.
  static let withJob = root.appending(path: ".build/add-a-job")
  /// What `gymrats init` made, `shop-floor`; `built` beside it holds its program and its tests.
  static let initialized = root.appending(path: ".build/init")

  /// Where `Tests/Programs/ServerPackage` is built.
  static let server = root.appending(path: ".build/server/debug")

  /// A file of the tree.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The path of an executable in one of these folders.
  ///
  /// - Throws: `TestFailure` where it was not built.
  static func path(_ name: String, in folder: URL = built) throws -> String {
    let path = folder.appending(path: name).path(percentEncoded: false)
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw TestFailure("there is no \(path): `Tests/run --filter Example` builds it")
    }
    return path
  }

  /// Runs a package's tests on the tests' server.
  static func test(_ name: String = "orders", in folder: URL = built) async throws
    -> TestProcess.Ended
  {
    try await TestProcess(
      try path("\(name)PackageTests.xctest", in: folder), ["--testing-library", "swift-testing"],
      environment: BatonProgram.inherited.merging(["DATABASE_URL": try TestServer.address]) { $1 },
      directory: "/"
    ).wait()
  }
}
