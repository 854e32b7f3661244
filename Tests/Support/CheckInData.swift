package import Foundation

/// A file of check-ins, with its content for the oracle.
package struct CheckInData: Sendable {
  /// The file as it lies there, plain or gzip.
  package let path: String

  /// A file.
  package init(path: String) { self.path = path }

  private static let root = Checkout.root

  /// One real year, 8,721 lines, gzip.
  package static let year2024 = CheckInData(
    path: root.appending(path: "Tests/Data/checkins-2024.csv.gz").path(percentEncoded: false))

  /// The edges of weeks, years, clocks, offsets and names.
  package static let edges = CheckInData(
    path: root.appending(path: "Tests/Data/edges.csv").path(percentEncoded: false))

  /// The whole file of 160,768 lines, where it is: it is too large for the repository.
  package static let whole: CheckInData? = {
    let named = ProcessInfo.processInfo.environment["BATON_CHECKINS"]
    let path =
      named
      ?? root.appending(path: "../shared/data/checkins.csv.gz").standardized
      .path(percentEncoded: false)
    return FileManager.default.isReadableFile(atPath: path) ? CheckInData(path: path) : nil
  }()

  /// The bytes of the CSV, decompressed by `gzip` where the name ends in `.gz`.
  ///
  /// - Throws: `TestFailure` where it cannot be read.
  package func content() async throws -> Data {
    guard path.hasSuffix(".gz") else { return try Data(contentsOf: URL(filePath: path)) }
    let ended = try await TestProcess(
      "/usr/bin/env", ["gzip", "-dc", path], environment: ProcessInfo.processInfo.environment,
      directory: "/"
    ).wait()
    guard ended.status == 0 else { throw TestFailure("gzip -dc \(path): \(ended.errors)") }
    return ended.bytes
  }

  /// The lines as the oracle reads them.
  ///
  /// - Throws: `TestFailure`, `OracleReader.Failure`.
  package func lines() async throws -> [CheckInLine] {
    try OracleReader.lines(of: Array(try await content()))
  }
}
