import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesServer
import TestSupport

extension Gym {
  /// Creates the groups and settings that a model's steps require.
  func setUp(for settings: ModelSettings, at now: Int64) async throws {
    try await sql(
      """
      update setting set max_checkins_per_day = $1, grace = $2 * interval '1 us',
        check_ins_rank = $3::text::rank_policy, streak_rank = $3::text::rank_policy,
        rank_change_cooldown = $4 * interval '1 us', rank_change_daily_cap = $5,
        board_age = $6 * interval '1 us', streak_policy = $7::text::streak_policy
      """, Int32(settings.limit), settings.grace, settings.ranks, settings.cooldown,
      Int32(settings.dailyCap), settings.boardAge, settings.streak)
    try await stand(atMicroseconds: now)
    try await run("insert into groups (id, name) values ('g', 'g'), ('h', 'h'), ('i', 'i')")
  }

  /// Sets the clock, exact to the microsecond.
  func stand(atMicroseconds now: Int64) async throws {
    try await sql("update development set clock = $1", Timestamp(microseconds: now))
  }

  /// Executes a step of a model.
  ///
  /// Returns the answer of a call, or an empty string for any other step.
  func take(_ step: ModelStep) async throws -> String {
    switch step {
    case .record(let call): return try await connection.atomically(in: schema, .model(call))
    case .delete(let deletion): return try await connection.atomically(in: schema, .model(deletion))
    case .read(let user), .share(let user, _), .mute(let user, _), .join(let user, _, _, _),
      .move(let user, _), .leave(let user), .rejoin(let user, _), .erase(let user):
      try await take(step, of: ModelName.stored(user))
    default: try await takeOfGroups(step)
    }
    return ""
  }

  private func takeOfGroups(_ step: ModelStep) async throws {
    switch step {
    case .advance(let time): try await stand(atMicroseconds: time)
    case .publish: try await publishAll()
    case .publishAndTell: try await publishAndTell()
    case .close:
      // Groups are closed one at a time, as one statement reports the due weeks.
      while try await close(of: 1).closed > 0 {}
    case .purge:
      _ = try await Session(connection, in: schema).transaction {
        try await PostgresExpiredData($0).purgeBoards(limit: 100, from: nil)
      }
    case .reopen(let group, let monday, let seconds):
      try await run("select reopen_week('\(group)', '\(monday)', 'model', '\(seconds) seconds')")
    default: break
    }
  }

  private func take(_ step: ModelStep, of user: String) async throws {
    switch step {
    case .read:
      try await sql("update visible_notification set is_read = true where user_id = $1", user)
    case .share(_, let shares):
      try await sql("select update_privacy_settings($1, $2)", user, shares)
    case .mute(_, let isMuted):
      try await sql(
        """
        update member m set is_muted = $2 from active_group a
        where m.user_id = $1 and a.user_id = m.user_id and a.group_id = m.group_id
        """, user, isMuted)
    case .join(_, let group, let time, let zone):
      try await join(user, group, zone: zone)
      try await sql(
        "update member set joined_at = $2 where user_id = $1", user, Timestamp(microseconds: time))
    case .move(_, let group):
      try await leave(user)
      try await sql(
        "insert into member (user_id, group_id, joined_at) values ($1, $2, domain_now())", user,
        group)
    case .leave: try await leave(user)
    case .erase: try await sql("select delete_account($1)", user)
    case .rejoin(_, let group):
      try await sql(
        "update member set left_at = null where user_id = $1 and group_id = $2", user, group)
    default: break
    }
  }

  private func leave(_ user: String) async throws {
    try await sql(
      "update member set left_at = domain_now() where user_id = $1 and left_at is null", user)
  }

  private func sql<each P: PostgresEncodable>(
    _ text: String, _ values: repeat each P
  ) async throws {
    let statement = Statement("test/model/\(Array(text.utf8).hashValue)", text)
    try await connection.atomically(in: schema, .run(statement, repeat each values))
  }
}
