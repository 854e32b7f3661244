import BatonPostgres
import ChallengesSQL

/// What a development database belongs to: it is only ever continued with exactly this.
package struct ReplayIdentity: Sendable, Equatable {
  /// The sha256 of the file's content, whatever its name and compression.
  package let fileDigest: String
  /// The first day replayed, `YYYY-MM-DD`, or empty.
  package let from: String
  /// The day before which the replay ends, or empty.
  package let to: String
  /// The step of the clock, in seconds.
  package let step: Int64
  /// Whether weeks close by the clock.
  package let closesWeeks: Bool

  /// The digest of a file's content, made by the server so that no library of ours is needed.
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

  /// The parts in which another identity differs, for people.
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
