import BatonPostgres
import ChallengesSQL
import Foundation

/// The final state of a notification for an export.
struct FinalNotification: Sendable {
  let type: String
  let group: String
  let member: String
  let weekStart: String
  /// The board type, or nil if the notification is not about a changed rank.
  let challenge: String?
  let from, to: Int32?
  /// The time when the notification last changed, as a UTC string in ISO 8601 format.
  let at: String

  /// Returns a call that reads the notifications about the boards and weeks that were closed at a
  /// given time.
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

  /// The notification as one line of `notifications.jsonl`, in which missing values are null.
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
