import BatonPostgres
import ChallengesSQL
import Foundation

/// A notification in its last state, as an export lists it.
struct FinalNotification: Sendable {
  let type: String
  let group: String
  let member: String
  let weekStart: String
  /// The board's type, for a changed rank.
  let challenge: String?
  let from, to: Int32?
  /// When it was last changed, ISO 8601 in UTC.
  let at: String

  /// The notifications about boards that closed at an instant, and about the end of their weeks.
  static func list(closedAt: Timestamp) -> Call<[FinalNotification]> {
    .rows(SQL.Replay.listFinalNotifications, closedAt) { (row) throws(PostgresError) in
      let (type, group, member, week, challenge, from, to, at) = try row.decode(
        String.self, String.self, String.self, String.self, String?.self, Int32?.self, Int32?.self,
        String.self)
      return FinalNotification(
        type: type, group: group, member: member, weekStart: week, challenge: challenge,
        from: from, to: to, at: at)
    }
  }

  /// One line of `notifications.jsonl`; what does not apply is null.
  var jsonLine: String {
    get throws {
      """
      {"type":"\(type)","group":\(try Self.json(group)),"member":\(try Self.json(member)),\
      "week_start":"\(weekStart)","challenge":\(try challenge.map(Self.json) ?? "null"),\
      "from":\(from.map { "\($0)" } ?? "null"),"to":\(to.map { "\($0)" } ?? "null"),"at":"\(at)"}
      """
    }
  }

  private static func json(_ text: String) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return String(decoding: try encoder.encode(text), as: UTF8.self)
  }
}
