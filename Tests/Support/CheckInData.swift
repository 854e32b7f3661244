package import Foundation

/// A file of check-ins, whose content can be read for the oracle.
package struct CheckInData: Sendable {
  /// The path of the file, which is uncompressed or compressed with gzip.
  package let path: String

  /// Creates a value for the file at a path.
  package init(path: String) { self.path = path }

  private static let root = Checkout.root

  /// A compressed file with 8,721 lines of one real year.
  package static let year2024 = CheckInData(
    path: root.appending(path: "Tests/Data/checkins-2024.csv.gz").path(percentEncoded: false))

  /// A file with edge cases for weeks, years, clock changes, UTC offsets and names.
  package static let edges = CheckInData(
    path: root.appending(path: "Tests/Data/edges.csv").path(percentEncoded: false))

  /// The complete file with 160,768 lines, or nil if the file is missing.
  ///
  /// The complete file is too large for the repository.
  package static let whole: CheckInData? = {
    let named = ProcessInfo.processInfo.environment["BATON_CHECKINS"]
    let path =
      named
      ?? root.appending(path: "../shared/data/checkins.csv.gz").standardized
      .path(percentEncoded: false)
    return FileManager.default.isReadableFile(atPath: path) ? CheckInData(path: path) : nil
  }()

  /// Returns the CSV content.
  ///
  /// A file whose name ends in `.gz` is decompressed by `gzip`.
  ///
  /// - Throws: `TestFailure` if the file cannot be read.
  package func content() async throws -> Data {
    guard path.hasSuffix(".gz") else { return try Data(contentsOf: URL(filePath: path)) }
    let ended = try await TestProcess(
      "/usr/bin/env", ["gzip", "-dc", path], environment: ProcessInfo.processInfo.environment,
      directory: "/"
    ).wait()
    guard ended.status == 0 else { throw TestFailure("gzip -dc \(path): \(ended.errors)") }
    return ended.bytes
  }

  /// Returns the lines of the file, parsed by the oracle.
  ///
  /// - Throws: `TestFailure` or `OracleReader.Failure`.
  package func lines() async throws -> [CheckInLine] {
    let bytes = Array(try await content())
    return try await blocking { try OracleReader.lines(of: bytes) }
  }
}
