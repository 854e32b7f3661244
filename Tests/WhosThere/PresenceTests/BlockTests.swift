import BatonIdentity
import BatonPostgres
import Foundation
import IdentitySQL
import JobRunner
import JobTesting
import Presence
import PresencePostgres
import PresenceSQL
import ProductPostgres
import TestSupport
import Testing

@testable import WhosThere

/// Tests blocks, reports and the export of a user's data.
///
/// docs/whosthere/rules.md has the rules.
@Suite(.timeLimit(.minutes(5))) struct BlockTests {
  private func with(_ body: (Places) async throws -> Void) async throws {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("ann", "ben", "cid")
      try await places.found("g", by: "ann", "ben", "cid")
      try await body(places)
    }
  }

  // MARK: What the blocked user finds out

  /// Returns the answers of Ben's calls in a group in which Ann was never present, or is hidden.
  private func answers(_ places: Places, in group: String) async throws -> [String] {
    var answers: [String] = []
    for call in [
      "(select presence_snapshot('ben', '\(group)') - 'takenAt' #- '{summary,groupId}'"
        + " #- '{summary,version}' #- '{summary,changedAt}' as s) x",
      "(select present_count from watch_groups('ben') where group_id = '\(group)') x",
      "(select user_id from get_members('ben', '\(group)')) x",
      "(select content, is_deleted from messages('ben', '\(group)')) x",
      "(select user_id, display_name from get_users('ben', '{ann}')) x",
      "(select member_count from get_group('ben', '\(group)')) x", "get_stats('ben')",
    ] { answers.append(try await places.call(call)) }
    return answers
  }

  @Test(.sampled()) func `a hidden member looks like a member who is absent`() async throws {
    try await with { places in
      try await places.found("h", by: "ann", "ben", "cid")
      for group in ["g", "h"] {
        try await places.call(
          "send_message('ann', '\(group)', gen_random_uuid(), 'Hello')")
      }
      try await places.call("block_user('ann', 'ben')")
      try await places.call(Places.checkIn("ann", 1))
      #expect(try await places.test.drain() == 0)
      #expect(try await places.sql("select present_count from group_summary") == ["1"])
      var (mine, other) = (try await answers(places, in: "g"), try await answers(places, in: "h"))
      #expect(mine == other)
      try await places.call("unblock_user('ann', 'ben')")
      (mine, other) = (try await answers(places, in: "g"), try await answers(places, in: "h"))
      #expect(mine != other)
    }
  }

  @Test func `a code of the blocker is answered like a replaced code, and counts no attempt`()
    async throws
  {
    try await with { places in
      let old = try await places.call("current_invite('ann', 'g')", "code")
      let new = try await places.call("rotate_invite('ann', 'g', '\(old)')", "code")
      try await places.call("leave_group('ben', 'g')")
      try await places.call("block_user('ann', 'ben')")
      for code in [old, new] {
        #expect(
          try await places.call("redeem_invite('ben', '\(code)')", "refusal") == "inviteInvalid")
      }
      #expect(
        try await places.sql("select attempts from invite_attempt where user_id = 'ben'") == ["0"])
      try await places.call("unblock_user('ann', 'ben')")
      #expect(try await places.call("redeem_invite('ben', '\(new)')", "group_id") == "g")
    }
  }

  @Test(.sampled()) func `direct reads hide what the calls hide, and reveal no block`()
    async throws
  {
    let schema = try #require(Schema(RoleServer.name("places")))
    let key = try await RoleServer.with(try await RoleServer.connect()) { superuser in
      let migrator = Migrator(schema, parts: [SQL.identity, SQL.presence])
      _ = try await migrator.migrate(superuser)
      _ = try await migrator.createRoles(superuser)
      #expect(try await migrator.accessFaults(superuser).filter(\.isFault) == [])
      for statement in [
        """
        insert into users (id, display_name, is_anonymous)
        select id, id, false from unnest('{ann,ben}'::text[]) id
        """, "select create_group('ann', 'g', 'G', \(Places.park), 'UTC', true)",
        "select join_public_group('ben', 'g')",
        "select check_in(id, gen_random_uuid(), 'g', 'manual', 'phone', now()) from users",
        "select send_message(id, 'g', gen_random_uuid(), 'By ' || id) from users",
        "select block_user('ann', 'ben')",
      ] { try await superuser.sql(statement, in: schema) }
      return try await superuser.atomically(in: schema, Call<ClaimKey>.rotateKey)
    }
    let signer = try #require(IdentitySigner(keyID: key.id, key: key.text))
    let role = "\(schema)_user"
    try await RoleServer.with(try await RoleServer.connect(as: "\(schema)_authenticator")) {
      login in
      for (user, messages) in [("ann", ["By ann"]), ("ben", ["By ann", "By ben"])] {
        let session = Session(login, in: schema).acting(
          as: .user(user, role: role, signer: signer))
        func read(_ text: String) async -> [String] {
          let call = Call<[String]>.rows(Statement("test/\(text)", text)) {
            (row) throws(PostgresError) in try row.decode(String.self)
          }
          do {
            return try await session.atomically(call)
          } catch {
            return [error.sqlState.code]
          }
        }
        #expect(await read("select user_id::text from presence") == [user])
        #expect(await read("select content from message order by 1") == messages)
        #expect(
          await read("select blocked from unnest(actor_blocks()) blocked")
            == (user == "ann" ? ["ben"] : []))
        #expect(await read("select cardinality(actor_presences())::text") == ["1"])
      }
    }
  }

  // MARK: Streams and notifications

  /// Returns the first element that satisfies the condition.
  private func first<Value>(
    of stream: AsyncStream<Result<Value, AppError>>, where isIt: (Value) -> Bool
  ) async throws -> Value {
    for await element in stream {
      if let value = try? element.get(), isIt(value) { return value }
    }
    throw TestFailure("the stream ended")
  }

  @Test func `open streams follow a block and its end`() async throws {
    try await with { places in
      let database = PresenceDatabase(places.test.configuration, schema: places.test.schema)
      let (anns, bens, cids) = (
        database.presences(for: "ann").observe("g"), database.presences(for: "ben").observe("g"),
        database.presences(for: "cid").observe("g")
      )
      let chat = database.chat(for: "ann").observeMessages(of: "g")
      try await places.call(Places.checkIn("ann", 1))
      try await places.call(Places.checkIn("ben", 2))
      try await places.call(ChatTests.send("ben", 1))
      #expect(try await places.test.drain() == 0)
      for stream in [anns, bens, cids] {
        _ = try await first(of: stream) { $0.summary.presentCount == 2 }
      }
      _ = try await first(of: chat) { $0.map(\.text) == ["m1"] }
      try await places.call("block_user('ann', 'ben')")
      let seen = try await first(of: bens) { $0.presences.count == 1 }
      #expect(seen.presences.map(\.userId) == ["ben"] && seen.summary.presentCount == 1)
      #expect(seen.summary.latest == ["ben"] && seen.summary.firstToday == nil)
      _ = try await first(of: anns) { $0.presences.map(\.userId) == ["ann"] }
      let hidden = try await first(of: chat) { $0.map(\.isDeleted) == [true] }
      #expect(hidden.map(\.text) == [""] && hidden.map(\.userId) == ["ben"])
      try await places.call("unblock_user('ann', 'ben')")
      _ = try await first(of: bens) { $0.summary.presentCount == 2 }
      _ = try await first(of: chat) { $0.map(\.text) == ["m1"] }
      await database.close()
    }
  }

  /// A former member's messages remain in the chat, and a former member can be the first arrival.
  @Test func `open streams follow a block of a former member and its end`() async throws {
    try await with { places in
      let database = PresenceDatabase(places.test.configuration, schema: places.test.schema)
      let chat = database.chat(for: "ann").observeMessages(of: "g")
      let (place, other) = (
        database.presences(for: "ann").observe("g"), database.presences(for: "cid").observe("g")
      )
      try await places.call(Places.checkIn("ben", 1))
      try await places.call(ChatTests.send("ben", 1))
      try await places.call("leave_group('ben', 'g')")
      #expect(try await places.test.drain() == 0)
      _ = try await first(of: chat) { $0.map(\.text) == ["m1"] }
      for stream in [place, other] {
        _ = try await first(of: stream) {
          $0.presences.isEmpty && $0.summary.firstToday == "ben"
        }
      }
      try await places.call("block_user('ann', 'ben')")
      _ = try await first(of: chat) { $0.map(\.text) == [""] && $0[0].isDeleted }
      _ = try await first(of: place) { $0.summary.firstToday == nil }
      try await places.call("unblock_user('ann', 'ben')")
      _ = try await first(of: chat) { $0.map(\.text) == ["m1"] }
      _ = try await first(of: place) { $0.summary.firstToday == "ben" }
      // A former member can also be the blocker.
      try await places.call("block_user('ben', 'cid')")
      _ = try await first(of: other) { $0.summary.firstToday == nil }
      await database.close()
    }
  }

  // MARK: Merged and deleted accounts

  @Test func `open streams follow the blocks that a merge moves to an account`() async throws {
    try await with { places in
      try await places.devices("dev")
      try await places.call("join_public_group('dev', 'g')")
      try await places.call("block_user('dev', 'ben')")
      try await places.call("block_user('cid', 'dev')")
      let database = PresenceDatabase(places.test.configuration, schema: places.test.schema)
      let (anns, cids) = (
        database.presences(for: "ann").observe("g"), database.presences(for: "cid").observe("g")
      )
      let chat = database.chat(for: "ann").observeMessages(of: "g")
      try await places.call(Places.checkIn("ann", 1))
      try await places.call(Places.checkIn("ben", 2))
      try await places.call(ChatTests.send("ben", 1))
      #expect(try await places.test.drain() == 0)
      for stream in [anns, cids] { _ = try await first(of: stream) { $0.presences.count == 2 } }
      _ = try await first(of: chat) { $0.map(\.text) == ["m1"] }
      #expect(try await places.call("link_account('dev', 'google', 'ann')", "id") == "ann")
      _ = try await first(of: anns) { $0.presences.map(\.userId) == ["ann"] }
      _ = try await first(of: cids) { $0.presences.map(\.userId) == ["ben"] }
      _ = try await first(of: chat) { $0.map(\.isDeleted) == [true] }
      await database.close()
    }
  }

  @Test func `a merge moves blocks and reports, and ends a block between the two users`()
    async throws
  {
    try await with { places in
      try await places.devices("dev")
      try await places.call("join_public_group('dev', 'g')")
      for (user, other) in [("dev", "ben"), ("cid", "dev"), ("dev", "ann"), ("ann", "dev")] {
        #expect(try await places.call("block_user('\(user)', '\(other)')") == "")
      }
      try await places.call("report_user('dev', gen_random_uuid(), 'g', 'ben', 'spam')")
      try await places.call("report_user('cid', gen_random_uuid(), 'g', 'dev', 'spam')")
      #expect(try await places.call("link_account('dev', 'google', 'ann')", "id") == "ann")
      #expect(
        try await places.sql("select user_id, blocked_user from user_block order by 1")
          == ["ann,ben", "cid,ann"])
      #expect(
        try await places.sql("select reporter, reported from user_report order by 1")
          == ["ann,ben", "cid,ann"])
      #expect(try await places.broken() == [])
    }
  }

  @Test func `a deleted account leaves no block, and its reports have no sender`() async throws {
    try await with { places in
      try await places.call("block_user('ann', 'ben')")
      try await places.call("block_user('ben', 'ann')")
      try await places.call(ChatTests.send("ben", 1))
      try await places.call(
        "report_user('ann', gen_random_uuid(), 'g', 'ben', 'content', 'By Ann', '\(ChatTests.id(1))')"
      )
      try await places.call("report_user('cid', gen_random_uuid(), 'g', 'ann', 'spam')")
      #expect(try await places.call("delete_account('ann')") == "")
      #expect(try await places.sql("select user_id from user_block") == [])
      #expect(
        try await places.sql(
          "select reporter is null, reported, note = '', content from user_report")
          == ["t,ben,t,m1"])
      #expect(try await places.call("delete_account('ben')") == "")
      #expect(try await places.sql("select id from user_report") == [])
    }
  }

  @Test func `a report about a message is listed with the message, and one about a user without`()
    async throws
  {
    try await with { places in
      try await places.call(ChatTests.send("ben", 1))
      try await places.call(
        "report_user('ann', gen_random_uuid(), 'g', 'ben', 'content', '', '\(ChatTests.id(1))')")
      try await places.stand(at: "2024-06-05 12:01")
      try await places.call("report_user('cid', gen_random_uuid(), 'g', 'ann', 'spam', 'Hm')")
      let connection = try await places.test.connect()
      let list = ReportList(connection, schema: places.test.schema, WhosThere.reports)
      let reports = try await list.reports(all: false, after: nil)
      #expect(reports.map(\.reported) == ["ben", "ann"])
      #expect(reports.map(\.messageId) == [ChatTests.id(1), nil])
      #expect(reports.map(\.message) == ["m1", nil])
      #expect(reports.map(\.note) == ["", "Hm"])
      await connection.close()
    }
  }

  // MARK: Export

  @Test func `an export has all of the user's messages, and nothing of other users`() async throws {
    try await with { places in
      try await places.sql(
        """
        insert into message (partition, created_at, id, group_id, user_id, content)
        select week_partition(domain_now()), domain_now(), gen_random_uuid(), 'g',
          case when n % 2 = 0 then 'ann' else 'ben' end, 'by ' || n % 2
        from generate_series(1, 2400) n
        """)
      try await places.call(Places.checkIn("ann", 1))
      try await places.call("begin_session('ann', 'my phone')")
      try await places.call("register_push_device('ann', 'fcm', 'token_hash')")
      try await places.call("set_push_settings('ann', '{message}')")
      try await places.call("block_user('ben', 'ann')")
      try await places.call("report_user('ben', gen_random_uuid(), 'g', 'ann', 'spam')")
      try await places.sql("insert into user_stats (user_id) values ('ann') on conflict do nothing")
      let next = "nullif(p -> 'next', 'null')"
      let pieces = """
        with recursive piece as (
          select export_my_data('ann') as p
          union all
          select export_my_data('ann', \(next)) from piece where \(next) is not null
        )
        """
      #expect(
        try await places.sql(
          """
          \(pieces) select p ->> 'part', count(*), count(distinct r ->> 'id'), min(r ->> 'content'),
            max(r ->> 'content')
          from piece, jsonb_array_elements(p -> 'rows') r where p ->> 'part' = 'messages' group by 1
          """) == ["messages,1200,1200,by 0,by 0"])
      #expect(
        try await places.sql(
          """
          \(pieces) select p ->> 'part' from piece, jsonb_array_elements(p -> 'rows') r
          where p ->> 'part' <> 'messages' group by 1 order by 1
          """) == [
            "account", "commands", "devices", "firstArrivals", "identities", "memberships",
            "presences", "pushSettings", "sessions", "statistics", "streaks", "visits",
          ])
      #expect(
        try await places.sql(
          "\(pieces) select count(*) from piece where p::text ~ 'token_hash|\"ben\"'") == ["0"])
      for position in [#"{"part": "x"}"#, #"{"part": "visits", "key": ["g", "x"]}"#] {
        #expect(
          try await places.call("export_my_data('ann', '\(position)')") == "invalidInput")
      }
    }
  }
}
