import BatonPostgres
import ChallengesSQL

/// The identity of a replay.
///
/// A development database can be continued only by a replay with an equal identity.
package struct ReplayIdentity: Sendable, Equatable {
  /// The SHA-256 of the file's content, which does not depend on the file's name and compression.
  package let fileDigest: String
  /// The first day of the replay in the form `YYYY-MM-DD`, or an empty string.
  package let from: String
  /// The day before which the replay ends, or an empty string.
  package let to: String
  /// The step of the clock in seconds.
  package let step: Int64
  /// Whether schedules close weeks by the development clock.
  package let closesWeeks: Bool

  /// Computes the digest of a file's content on the server, so that the program needs no library
  /// for it.
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

  /// Returns the parts in which another identity differs, for display.
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
