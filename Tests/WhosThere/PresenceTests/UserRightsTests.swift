import BatonIdentity
import BatonPostgres
import IdentitySQL
import JobRunner
import PresenceSQL
import TestSupport
import Testing

/// Tests who may call functions and read rows, and in whose name, in a schema with roles.
@Suite(.timeLimit(.minutes(5))) struct UserRightsTests {
  /// Returns the result of each statement for an identity: the read value or an SQLSTATE.
  ///
  /// All changes are rolled back.
  private func answers(
    _ statements: [String], as identity: Identity, in session: Session
  ) async -> [String] {
    var answers: [String] = []
    for text in statements {
      let call = Call<[String]>.rows(Statement("test/\(text)", text)) {
        (row) throws(PostgresError) in try row.decode(String.self)
      }
      do {
        answers.append(
          try await session.acting(as: identity).atomically(call).joined(separator: " "))
      } catch {
        answers.append(error.sqlState.code)
      }
    }
    return answers
  }

  @Test func `a user is who the claim says, in each call, and sees what is theirs or public`()
    async throws
  {
    let schema = try #require(Schema(RoleServer.name("places")))
    let key = try await RoleServer.with(try await RoleServer.connect()) { superuser in
      let migrator = Migrator(schema, parts: [SQL.identity, SQL.presence])
      _ = try await migrator.migrate(superuser)
      _ = try await migrator.createRoles(superuser)
      #expect(try await migrator.accessFaults(superuser).filter(\.isFault) == [])
      try await superuser.sql(
        """
        insert into users (id, display_name, is_anonymous)
        select id, id, false from unnest('{ann,ben}'::text[]) id
        """, in: schema)
      for (actor, group) in [("ann", "mine"), ("ben", "his"), ("ben", "all")] {
        try await superuser.sql(
          """
          select create_group('\(actor)', '\(group)', 'G', \(Places.park), 'UTC', \(group == "all"))
          """, in: schema)
        try await superuser.sql(
          """
          select send_message('\(actor)', '\(group)', gen_random_uuid(), 'In \(group)')
          """, in: schema)
      }
      try await superuser.sql(
        """
        insert into visit (user_id, group_id, arrival, local_date, is_first)
        values ('ann', 'mine', now(), '2024-06-05', true)
        """, in: schema)
      return try await superuser.atomically(in: schema, Call<ClaimKey>.rotateKey)
    }
    // A user who writes a visit needs no right to count it, and a worker awards the achievements.
    try await RoleServer.with(try await RoleServer.connect(as: "\(schema)_worker")) { worker in
      let unlocks = try await worker.atomically(
        in: schema,
        .run(SQL.Achievements.holdStats, ["ann"]), .count(SQL.Achievements.award, ["ann", "ben"]))
      #expect(unlocks.1 == 2)
    }
    let signer = try #require(IdentitySigner(keyID: key.id, key: key.text))
    let role = "\(schema)_user"
    let ann = Identity.user("ann", role: role, signer: signer)
    try await RoleServer.with(try await RoleServer.connect(as: "\(schema)_authenticator")) {
      login in
      let session = Session(login, in: schema)
      // Only the back end signs users in.
      let servers = ["begin_session", "link_account"]
      for call in RefusedCallTests.calls {
        let text = "select 'done' from \(call.replacing("$", with: "'ben'"))"
        let expected = servers.contains(where: call.hasPrefix) ? "42501" : "ZW001"
        #expect(await answers([text], as: ann, in: session) == [expected], "\(call)")
      }
      let reads = [
        "select id::text from users order by 1", "select id::text from groups order by 1",
        "select group_id || ' ' || user_id from member order by 1",
        "select content from message", "select display_name from get_user('ann')",
      ]
      #expect(
        await answers(reads, as: ann, in: session) == [
          "ann", "all mine", "mine ann", "In mine", "ann",
        ])
      for other in [Identity.nobody(role: role), .user("ann", role: role)] {
        #expect(await answers(reads, as: other, in: session) == ["", "all", "", "", "ZW001"])
      }
      for table in [
        "session", "identity", "invite", "invite_attempt", "redemption", "setting", "achievement",
        "user_stats", "visit_streak", "unlock", "visit", "message_bucket", "message_1",
        "user_block", "user_report",
      ] {
        #expect(
          await answers(["select 'row' from \(table)"], as: ann, in: session) == ["42501"],
          "\(table)")
      }
      for write in [
        "update groups set name = 'X' returning 'row'", "delete from member returning 'row'",
        "insert into users (id, display_name, is_anonymous) values ('x', 'x', false) returning 'row'",
        "select lock_group('his')::text", "select merge_users('ann', 'ben')::text",
        "select 'x' from sign_in('google', 'x')", "select forget_user('ann')::text",
        "insert into unlock (user_id) values ('ann') returning 'row'",
      ] { #expect(await answers([write], as: ann, in: session) == ["42501"], "\(write)") }
    }
  }
}
