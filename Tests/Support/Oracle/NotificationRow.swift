import Foundation

/// One notification in its last state, as a replay exports it.
package struct NotificationRow: Hashable, Sendable {
  /// `rank_change` or `week_ended`.
  package let type: String
  /// The group's name.
  package let group: Name
  /// The recipient's name.
  package let member: Name
  /// The Monday of the week it is about, `YYYY-MM-DD`.
  package let weekStart: String
  /// The board of a changed rank.
  package let challenge: BoardRow.Kind?
  /// The ranks of a change.
  package let from, to: Int?
  /// When it was last changed, microseconds since 1970.
  package private(set) var at: Int64

  /// The same notification at another time.
  package func at(_ time: Int64) -> NotificationRow {
    var row = self
    row.at = time
    return row
  }
}

extension NotificationRow: CustomStringConvertible {
  /// For a failure message.
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

  /// Reads one line of `notifications.jsonl`.
  ///
  /// - Throws: `BoardRow.JSONFailure` for anything else.
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
