import BatonPostgres
import Foundation
import JobTesting
import Presence
import TestSupport

extension Places {
  /// Creates groups g1, g2 and so on of `boss`, and creates `boss`.
  func manyGroups(_ count: Int) async throws {
    try await accounts("boss")
    let numbers = "from generate_series(1, \(count)) n"
    try await sql(
      """
      insert into groups (id, name, latitude, longitude, radius, is_public, time_zone)
      select 'g' || n, 'Group ' || n, 52.5, 13.4, 100, true, 'UTC' \(numbers)
      """)
    try await sql(
      """
      insert into member (group_id, user_id, role, joined_at)
      select 'g' || n, 'boss', 'admin', domain_now() \(numbers)
      """)
  }

  /// Inserts stays of users: `user group date seconds`, with optional seconds and `first`.
  func stayed(_ visits: String...) async throws {
    let rows = visits.map { visit in
      let words = visit.split(separator: " ").map(String.init)
      let arrival = "'\(words[2]) 10:00Z'::timestamptz"
      let stay = words.count > 3 ? "\(arrival) + interval '\(words[3]) seconds'" : "null"
      return """
        ('\(words[0])', '\(words[1])', \(arrival), \(stay), '\(words[2])', \(words.count > 4))
        """
    }
    try await sql(Self.insertVisits + rows.joined(separator: ", "))
  }

  static let insertVisits =
    "insert into visit (user_id, group_id, arrival, departure, local_date, is_first) values "

  /// Returns a user's numbers as returned by the API.
  func stats(_ user: String) async throws -> UserStats {
    let row = try await call("get_stats('\(user)')").split(separator: ",").compactMap { Int($0) }
    guard row.count == 7 else { throw TestFailure("\(row) are no numbers of \(user)") }
    return UserStats(
      checkIns: row[0], firstArrivals: row[1], groupsVisited: row[2], currentStreak: row[3],
      longestStreak: row[4], longestStay: row[5], messagesSent: row[6])
  }

  /// Returns the expected numbers, which the library's rules compute from the rows.
  func expectedStats(
    _ user: String, messages: Int = 0, today: String
  ) async throws -> UserStats {
    let visits = try await sql(
      """
      select group_id, extract(epoch from arrival), extract(epoch from departure), local_date, is_first
      from visit where user_id = '\(user)'
      """
    ).map { line in
      let words = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard words.count == 5, let arrival = Double(words[1]), let date = LocalDate(words[3]) else {
        throw TestFailure("\(line) is no visit")
      }
      return Visit(
        groupId: words[0], arrival: Date(timeIntervalSince1970: arrival),
        departure: Double(words[2]).map(Date.init(timeIntervalSince1970:)), localDate: date,
        isFirst: words[4] == "t")
    }
    guard let today = LocalDate(today) else { throw TestFailure("\(today) is no date") }
    return UserStats(visits: visits, messagesSent: messages, today: today)
  }

  /// Returns the names of a user's achievements.
  ///
  /// New achievements have a star.
  func earned(_ user: String) async throws -> [String] {
    try await sql(
      "select type || case when is_new then '*' else '' end from earned_achievements('\(user)')")
  }

  /// Runs statements in a separate transaction on a separate connection.
  func alone(_ statements: String, end: String = "commit") async throws {
    let connection = try await test.connect()
    let script =
      "begin; set local search_path to \(test.schema.name), pg_temp; \(statements); \(end)"
    let result: Result<Void, any Error>
    do {
      result = .success(try await connection.script(Statement("test/alone", script)))
    } catch {
      result = .failure(error)
    }
    await connection.close()
    try result.get()
  }

  /// Creates a table whose rows are counted like messages.
  func countMessages() async throws {
    try await sql("create table sent (user_id text not null)")
    try await sql(
      """
      create trigger sent_inserted after insert on sent
      referencing new table as changed_row for each statement execute function message_counted()
      """)
  }
}
