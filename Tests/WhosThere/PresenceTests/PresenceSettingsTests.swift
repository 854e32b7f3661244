import BatonPostgres
import IdentitySQL
import JobRunner
import JobTesting
import PresenceSQL
import TestSupport
import Testing

/// Tests the same calls in two sessions that share only the schema.
///
/// Answers and stored rows must be identical, to the last digit.
@Suite(.timeLimit(.minutes(5))) struct PresenceSettingsTests {
  @Test(.sampled())
  func `places, check-ins, chat and achievements are the same in both sessions`()
    async throws
  {
    let plain = try await transcript(SettingsCaller.plain)
    let foreign = try await transcript(SettingsCaller.foreign)
    for change in foreign.difference(from: plain).prefix(6) { Issue.record("\(change)") }
    for (name, text) in [
      ("circle ", "{latitude: 52.52000712345678, longitude: 13.40495412345679}"),
      ("polygon ", "latitude: 52.52000712345678"), ("nearby ", "radius: 123.456789012345"),
      // 7 days of 24 hours.
      ("code ", "(g,2026-03-08 23:30:00+00)"), ("in ", "(accepted,f,g,bob,t,manual,2026-03-01"),
      ("snapshot ", "presentCount: 1"), ("earned ", "firstCheckIn"), ("sent ", ",bob,Hello,"),
      ("ZW014", "no number up to 90: 91.5"), ("ZW014", "a radius of 24.5 m is too small"),
      ("ZW013", "bob"),
    ] {
      #expect(plain.contains { $0.hasPrefix(name) && $0.contains(text) }, "\(name), \(text)")
    }
  }

  private func transcript(_ settings: [String]) async throws -> [String] {
    try await Places.with(at: "2026-03-01 23:30") { places in
      try await places.accounts("ann", "bob")
      let caller = try await SettingsCaller(
        settings, to: places.test.configuration, in: places.test.schema)
      var lines = try await meet(caller)
      lines += try await checkIn(caller, places)
      lines += try await talk(caller, places)
      await caller.connection.close()
      lines += try await SettingsCaller.kept { try await places.sql($0) }
      for table in [
        "users", "groups", "group_area", "member", "presence", "presence_command", "visit",
        "first_arrival", "group_summary", "user_stats", "visit_streak", "unlock", "message",
        "message_bucket", "group_chat",
      ] { lines += try await places.sql("select t::text from \(table) t order by 1") }
      return lines
    }
  }

  private static let corners =
    """
    [{"latitude":52.52000712345678,"longitude":13.404954123456789},
    {"latitude":52.53,"longitude":13.41},{"latitude":52.52,"longitude":13.42}]
    """

  private func meet(_ caller: SettingsCaller) async throws -> [String] {
    func make(_ id: String, _ shape: String, _ zone: String) -> String {
      "create_group('ann', '\(id)', 'Park', \(shape), '\(zone)', true)"
    }
    let circle = Places.circle(52.52000712345678, 13.404954123456789, 123.456789012345)
    let polygon = "'{\"type\":\"polygon\",\"corners\":\(Self.corners)}'"
    var lines = try await caller.keep("circle", make("g", circle, "Europe/Berlin"))
    lines += try await caller.keep("again", make("g", circle, "Europe/Berlin"))
    lines += try await caller.keep("polygon", make("p", polygon, "America/New_York"))
    for shape in [Places.circle(91.5, 13.4), Places.circle(52.5, 13.4, 24.5)] {
      lines += try await caller.ask("select id from \(make("x", shape, "UTC"))")
    }
    for id in ["\\x01", "\\x1f", "\\\\", "x01"] {
      lines += try await caller.ask(
        "select user_id from get_members('ann', (create_group('ann', e'\(id)', 'X', "
          + "\(circle), 'UTC')).id)")
      lines += try await caller.ask("select id from update_profile('ann', e'\(id)', null, null)")
    }
    lines += try await caller.keep([
      ("joined", "join_public_group('bob', 'g')"), ("nearby", "nearby_groups('bob', 52.52, 13.4)"),
      ("public", "public_groups('bob')"), ("own", "joined_groups('ann')"),
      ("members", "get_members('bob', 'g')"),
      ("code", "(select group_id, expires_at from current_invite('ann', 'g')) i"),
      ("session", "(select expires_at from begin_session('bob', 'Phone')) s"),
      (
        "changed",
        "update_group('ann', 'p', 'Yard', \(polygon.replacing("52.53", with: "52.5312345678901")),"
          + " 'America/New_York', true, 50)"
      ),
    ])
    return lines
  }

  /// At 23:30 UTC, it is the next day in Berlin, and still afternoon in New York.
  private func checkIn(_ caller: SettingsCaller, _ places: Places) async throws -> [String] {
    let place = "52.52000712345678, 13.404954123456789, 10.123456789012345, domain_now()"
    let far = "48.1, 11.5, 10, domain_now()"
    var lines = try await caller.keep("in", Places.checkIn("bob", 1, stay: 3600, at: place))
    lines += try await caller.keep("far", Places.checkIn("bob", 2, stay: 60, at: far))
    #expect(try await places.test.drain() == 0)
    lines += try await caller.keep([
      ("snapshot", "presence_snapshot('ann', 'g')"),
      ("observed", "observed_presences('{g}', '{ann,bob}', '{g,g}')"),
      ("moved", "changed_places('{g,p}', '{0,0}', '{2026-03-02,2026-03-01}')"),
      ("watch", "watch_groups('bob')"),
    ])
    try await places.stand(at: "2026-03-02 00:10")
    lines += try await caller.keep("out", Places.checkOut("bob", 3))
    #expect(try await places.test.drain() == 0)
    lines += try await caller.keep([
      ("stats", "get_stats('bob')"), ("progress", "achievement_progress('bob')"),
      ("earned", "earned_achievements('bob')"), ("shown", "acknowledge('bob', '{firstCheckIn}')"),
    ])
    return lines
  }

  private func talk(_ caller: SettingsCaller, _ places: Places) async throws -> [String] {
    var lines: [String] = []
    let spaced = "e' \\t\\u00a0Hello\\u3000'"
    for number in 1...6 {
      let id = ChatTests.id(number)
      lines += try await caller.keep(
        number == 1 ? "sent" : "sent_\(number)",
        "send_message('bob', 'g', '\(id)', \(number == 1 ? spaced : "e'\\\\x0\(number)'"))")
    }
    lines += try await caller.ask(
      "select 'gone' from delete_message('bob', 'g', '\(ChatTests.id(2))')")
    #expect(try await places.test.drain() == 0)
    lines += try await caller.keep([
      ("page", "messages('ann', 'g')"), ("chat", "observed_chats('{g}', 2)"),
      ("chats", "changed_chats('{g}', '{0}')"), ("user", "get_user('bob')"),
    ])
    return lines
  }

  // MARK: What is made

  @Test(.sampled()) func `a session with other settings makes the same schema`() async throws {
    let plain = try await definitions(SettingsCaller.plain)
    let foreign = try await definitions(SettingsCaller.foreign)
    for change in foreign.difference(from: plain).prefix(6) { Issue.record("\(change)") }
    #expect(plain.count > 300)
  }

  /// Returns constraints, functions, views and defaults in the form in which the server prints
  /// them.
  private func definitions(_ settings: [String]) async throws -> [String] {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await SettingsCaller.connect(settings, to: test.configuration)
      _ = try await Migrator(test.schema, parts: [SQL.identity, SQL.presence]).migrate(connection)
      await connection.close()
      return try await test.sql(
        """
        with own as (select current_schema()::regnamespace as schema)
        select conname || ' ' || pg_get_constraintdef(c.oid) as text
        from pg_constraint c, own where c.connamespace = own.schema
        union all
        select pg_get_functiondef(f.oid) from pg_proc f, own where f.pronamespace = own.schema
        union all
        select relname || ' ' || pg_get_viewdef(v.oid)
        from pg_class v, own where v.relnamespace = own.schema and v.relkind = 'v'
        union all
        select relname || ' ' || pg_get_expr(d.adbin, d.adrelid)
        from pg_attrdef d join pg_class r on r.oid = d.adrelid, own
        where r.relnamespace = own.schema
        order by 1
        """
      ).map { $0.replacing(test.schema.name, with: "whosthere") }
    }
  }

  /// Such a body is parsed at each call with the caller's settings.
  @Test func `a backslash stands in no literal of a function that is read when it is called`() {
    let bodies = SQL.presence.objects
      .filter { $0.kind == .function && $0.statement.text.contains("$$") }
    #expect(bodies.count > 90)
    for body in bodies {
      #expect(SettingsCaller.bareBackslashes(in: body.statement) == [], "\(body.name)")
    }
  }
}
