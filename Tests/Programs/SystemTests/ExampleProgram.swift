import Foundation
import TestSupport

/// The results of `Tests/run` for `Examples/orders`, and for the copy with one more job.
///
/// These packages have separate scratch paths, because these tests may hold the lock of the main
/// build.
enum ExampleProgram {
  /// The folder of the source tree.
  static let root = Checkout.root

  /// The folder in which the example is built.
  static let built = root.appending(path: ".build/examples/debug")
  /// The copy to which a job was added.
  ///
  /// Its folder `built` contains its program and tests.
  static let withJob = root.appending(path: ".build/add-a-job")
  /// The package `shop-floor` that `gymrats init` created.
  ///
  /// The `built` folder next to it contains its program and tests.
  static let initialized = root.appending(path: ".build/init")

  /// The folder in which `Tests/Programs/ServerPackage` is built.
  static let server = root.appending(path: ".build/server/debug")

  /// Returns the contents of a file in the source tree.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns the path of an executable in one of these folders.
  ///
  /// - Throws: `TestFailure` if the executable was not built.
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
