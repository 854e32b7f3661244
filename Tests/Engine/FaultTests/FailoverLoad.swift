import BatonPostgres
import Challenges
import ChallengesPostgres
import Foundation
import Synchronization
import TestSupport
import Testing

/// Clients that request effects until they are stopped, with a new key for each effect.
final class MailLoad: Sendable {
  private let load: CallLoad

  init(_ schema: TestSchema) {
    load = CallLoad(
      schema, Statement("test/ask_by_call", "select enqueue('mail', $1)::text"),
      Statement("test/ask_by_event", "select append_events('mail.asked', array[$1])::text"),
      prefix: "letter")
  }

  /// The number of acknowledged calls.
  var count: Int { load.acknowledged.count }

  /// Requests effects with calls and events alternately.
  func ask(until isOver: () -> Bool) async throws { try await load.call(until: isOver) }

  /// Expects that each acknowledged call has its effect, and that repeated effects have the same
  /// id.
  func expectEffects(in file: String) throws -> (effects: Int, repeated: Int) {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let lines = text.split(separator: "\n").map(String.init)
    let pairs = Set(lines).map { $0.split(separator: " ").map(String.init) }
    let keys = Dictionary(grouping: pairs) { $0[1] }
    let ids = Dictionary(grouping: pairs) { $0[0] }
    let lost = load.acknowledged.filter { keys[$0] == nil }
    #expect(lost == [], "lost effects")
    #expect(keys.filter { $0.value.count > 1 }.isEmpty, "effects with two ids")
    #expect(ids.filter { $0.value.count > 1 }.isEmpty, "ids of two effects")
    return (lines.count, lines.count - pairs.count)
  }
}

/// Apps that observe boards during all faults.
final class LiveLoad: Sendable {
  private let database: ChallengesDatabase
  /// The newest version that each app has seen, and the number of its snapshots.
  private let seen = Mutex<[String: (version: Int64, snapshots: Int)]>([:])
  private let groups: Int

  init(_ schema: TestSchema, groups: Int) {
    self.groups = groups
    database = ChallengesDatabase(schema.configuration, schema: schema.schema)
  }

  /// Observes the board of each group until the task is cancelled.
  func follow() async {
    await withTaskGroup { tasks in
      for group in 1...groups { tasks.addTask { await self.follow("g\(group)") } }
    }
    await database.close()
  }

  private func follow(_ group: String) async {
    let board = database.repositories(for: "u\(group.dropFirst())-1").leaderboards
    for await update in board.observeUpdates(groupId: group, type: .checkIns) {
      guard case .success(let snapshot) = update else { continue }
      seen.withLock { seen in
        let count = seen[group]?.snapshots ?? 0
        seen[group] = (snapshot.rankVersion, count + 1)
      }
    }
  }

  /// Waits until each app has received another board.
  func expectNews() async throws {
    let before = seen.withLock { $0.mapValues(\.snapshots) }
    try await eventually("news of every board", within: .seconds(30)) {
      seen.withLock { seen in
        (1...groups).allSatisfy { (seen["g\($0)"]?.snapshots ?? 0) > before["g\($0)"] ?? 0 }
      }
    }
  }

  /// Waits until each app has the newest board.
  func expectNewest(_ schema: TestSchema) async throws {
    let rows = try await schema.sql(
      """
      select c.group_id, max(v.rank_version) from board_version v
      join challenge c on c.id = v.challenge_id
      where c.type = 'check-ins' and c.week_start = (select max(week_start) from challenge)
      group by 1
      """)
    let newest = Dictionary(
      uniqueKeysWithValues: rows.map { row in
        let fields = row.split(separator: ",")
        return (fields[0].filter { $0 != "\"" }, Int64(fields[1]))
      })
    try await eventually("the newest board of every group") {
      seen.withLock { seen in
        (1...groups).allSatisfy { seen["g\($0)"]?.version == newest["g\($0)"] }
      }
    }
  }
}
