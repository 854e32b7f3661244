import Foundation
import JobTesting
import Presence
import TestSupport

extension Places {
  /// Returns a check-in as SQL.
  ///
  /// It is automatic if it has a place. The place `nil` means the park.
  static func checkIn(
    _ user: String, _ id: Int, _ group: String = "g", stay: Int? = nil,
    by source: String = "manual", at place: String = nowhere
  ) -> String {
    """
    check_in('\(user)', '\(uuid(id))', '\(group)', '\(source)', 'phone', '2024-01-01Z', \
    \(stay.map(String.init) ?? "null"), \(place))
    """
  }

  /// Returns an automatic check-in by a device in the park.
  static func noticed(_ user: String, _ id: Int, _ group: String = "g", stay: Int? = nil) -> String
  {
    checkIn(user, id, group, stay: stay, by: "automatic", at: here)
  }

  /// Returns a check-out as SQL.
  static func checkOut(
    _ user: String, _ id: Int, _ group: String = "g", by source: String = "manual"
  ) -> String {
    "check_out('\(user)', '\(uuid(id))', '\(group)', '\(source)', 'watch', '2024-01-01Z')"
  }

  /// Sets the clock to a number of seconds after noon of 2024-06-05.
  func stand(_ second: Int) async throws {
    let noon = 1_717_588_800.0
    let instant = Date(timeIntervalSince1970: noon + Double(second))
    try await test.setClock(to: InstantText.text(of: instant) ?? "a date of this century")
  }

  /// The arguments for no place.
  static let nowhere = "null, null, null, null"

  /// The arguments for a place in the park, now.
  static let here = "52.5, 13.4, 10, domain_now()"

  private static func uuid(_ id: Int) -> String {
    "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(id)".count) + "\(id)"
  }

  /// Returns the outcome of a command with `t` or `f` and the resulting version, or returns the
  /// refusal.
  @discardableResult
  func outcome(_ command: String) async throws -> String {
    try await call(command, Self.short).replacing(",", with: " ")
  }

  /// The columns that ``outcome(_:)`` reads.
  static let short = "concat_ws(' ', outcome, is_present::text::char, version)"

  /// Returns the same as a source of rows, for races.
  static func short(_ command: String) -> String { "(select \(short) from \(command)) c" }

  /// Returns presences as `user t version source since deadline`, ordered by user and group.
  func presences(_ group: String = "g") async throws -> [String] {
    try await sql(
      """
      select concat_ws(' ', user_id, is_present::text::char, version, source,
        to_char(since at time zone 'UTC', 'HH24:MI:SS'),
        'until ' || to_char(deadline at time zone 'UTC', 'HH24:MI:SS'))
      from presence where group_id = '\(group)' order by user_id
      """)
  }

  /// Returns visits as `user first date arrival departure`, ordered by arrival and user.
  func visits(_ group: String = "g") async throws -> [String] {
    try await sql(
      """
      select concat_ws(' ', user_id, is_first::text::char, local_date,
        to_char(arrival at time zone 'UTC', 'HH24:MI:SS'),
        to_char(departure at time zone 'UTC', 'HH24:MI:SS'))
      from visit where group_id = '\(group)' order by arrival, user_id
      """)
  }
}
