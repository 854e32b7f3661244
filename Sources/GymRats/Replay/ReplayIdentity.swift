import BatonPostgres
import ChallengesSQL

/// The identity of a replay.
///
/// Only a replay with an equal identity can continue in an existing development database.
package struct ReplayIdentity: Sendable, Equatable {
  /// The SHA-256 hash of the file's decompressed content, which does not depend on the file's name
  /// or compression.
  package let fileDigest: String
  /// The first day of the replay in the form `YYYY-MM-DD`, or an empty string to start with the
  /// first line.
  package let from: String
  /// The first day that the replay excludes, or an empty string to end with the last line.
  package let to: String
  /// The clock's step in seconds.
  package let step: Int64
  /// Whether the schedules fire at the times of the development clock, for example to close weeks.
  package let closesWeeks: Bool

  /// Computes the digest of a file's content on the database server, so that this program needs no
  /// SHA-256 library.
  static func digest(
    of content: [UInt8], on connection: Connection
  ) async throws(PostgresError) -> String {
    var digest = ""
    for start in stride(from: 0, to: content.count, by: 1 << 20) {
      let chunk = Bytes(Array(content[start..<min(start + 1 << 20, content.count)]))
      digest = try await connection.run(
        .row(SQL.Replay.digest, digest, chunk) { (row) throws(PostgresError) in
          try row.decode(String.self)
        })
    }
    return digest
  }

  /// Returns the properties in which another identity differs, as text for display.
  func differences(from other: ReplayIdentity) -> [String] {
    var parts: [String] = []
    func compare(_ name: String, _ ours: String, _ theirs: String) {
      guard ours != theirs else { return }
      parts.append("\(name) \(theirs.isEmpty ? "none" : theirs)")
    }
    if fileDigest != other.fileDigest { parts.append("another file") }
    compare("--from", from, other.from)
    compare("--to", to, other.to)
    compare("--step", "\(step)s", "\(other.step)s")
    if closesWeeks != other.closesWeeks {
      parts.append(other.closesWeeks ? "with --weeks" : "without --weeks")
    }
    return parts
  }
}
