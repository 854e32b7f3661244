import Foundation

/// The final state of a notification, as exported by a replay.
package struct NotificationRow: Hashable, Sendable {
  /// The type of the notification: `rank_change` or `week_ended`.
  package let type: String
  /// The group's name.
  package let group: Name
  /// The recipient's name.
  package let member: Name
  /// The Monday of the week that the notification is about, as `YYYY-MM-DD`.
  package let weekStart: String
  /// The type of the board of a changed rank, or nil for the end of a week.
  package let challenge: BoardRow.Kind?
  /// The ranks before and after a change, or nil for the end of a week.
  package let from, to: Int?
  /// The instant of the last change, in microseconds since 1970.
  package private(set) var at: Int64

  /// Returns the same notification with another instant.
  package func at(_ time: Int64) -> NotificationRow {
    var row = self
    row.at = time
    return row
  }
}

extension NotificationRow: CustomStringConvertible {
  /// The notification as text for failure messages.
  package var description: String {
    "\(type) \(group) \(weekStart) \(member) \(challenge?.rawValue ?? "") "
      + "\(from.map { "\($0)" } ?? "")->\(to.map { "\($0)" } ?? "") at \(at)"
  }
}

extension NotificationRow {
  private struct Wire: Decodable {
    let type, group, member, week_start: String
    let challenge: String?
    let from, to: Int?
    let at: String
  }

  /// Parses one line of `notifications.jsonl`.
  ///
  /// - Throws: `BoardRow.JSONFailure` if the line has another form.
  package init(jsonLine: String) throws {
    let keys = ["at", "challenge", "from", "group", "member", "to", "type", "week_start"]
    guard let object = try? JSONSerialization.jsonObject(with: Data(jsonLine.utf8)),
      let fields = object as? [String: Any], fields.keys.sorted() == keys,
      let wire = try? JSONDecoder().decode(Wire.self, from: Data(jsonLine.utf8)),
      let time = OracleTimestamp(of: Array(wire.at.utf8))
    else { throw BoardRow.JSONFailure(jsonLine: jsonLine, reason: "Not a notification") }
    type = wire.type
    group = Name(wire.group)
    member = Name(wire.member)
    weekStart = wire.week_start
    challenge = wire.challenge.flatMap { BoardRow.Kind(rawValue: $0) }
    from = wire.from
    to = wire.to
    at = time.instant
  }
}
