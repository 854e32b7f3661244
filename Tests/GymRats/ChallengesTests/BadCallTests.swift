import BatonPostgres
import TestSupport
import Testing

/// Tests calls from any language with invalid values.
///
/// The result is a named error or a final answer, and no call writes only a part.
@Suite(.timeLimit(.minutes(5)))
struct BadCallTests {
  private static let long = "repeat('x', 65000)"

  @Test(
    .sampled(),
    arguments: [
      // Bytes that are not valid text are refused in every call.
      ("record_workout(convert_from('\\xff', 'UTF8'), 'w')", "22021"),
      ("record_workout('ann', convert_from('\\x6700', 'UTF8'))", "22021"),
      ("record_workout('ann', chr(0))", "54000"),
      ("enqueue('note', convert_from('\\xeda080', 'UTF8'))", "22021"),
      ("enqueue('note', chr(0))", "54000"),
      ("enqueue('note', 'k', '\"\\u0000\"')", "22P05"),
      ("set_time_zone('ann', convert_from('\\xc3', 'UTF8'))", "22021"),
      // The texts have ten million characters.
      ("record_workout(\(long), 'w')", "ZB002"), ("record_workout('ann', \(long))", "ZB002"),
      ("enqueue(\(long), 'k')", "ZB005"), ("enqueue('note', \(long))", "ZB006"),
      ("enqueue('note', 'k', to_jsonb(repeat('x', 10000000)))", "ZB007"),
      ("set_time_zone('ann', \(long))", "ZB003"), ("set_time_zone(\(long), 'UTC')", "ZB001"),
      ("append_events('entry.changed', array[\(long)])", "ZB006"),
      ("append_events('entry.changed', array[''])", "ZB006"),
      ("append_events('entry.changed', array[null])", "ZB006"),
      ("delete_workout(\(long), 'w')", "ZB002"), ("delete_workout('ann', \(long))", "ZB002"),
      ("update_profile('ann', \(long), null)", "ZG012"),
      ("update_profile('ann', 'Ann', \(long))", "ZG012"),
      ("update_profile(\(long), 'Ann', null)", "ZG001"),
      ("update_privacy_settings(\(long), true)", "ZG001"),
      ("update_privacy_settings('ann', null)", "ZG012"),
      ("increment_check_in(\(long), gen_random_uuid())", "ZG001"),
      ("increment_check_in('ann', gen_random_uuid())", "ZG006"),
      ("update_streak('ann', gen_random_uuid(), 1)", "ZG014"),
      // Invalid times and numbers.
      ("record_workout('ann', 'w', '294277-01-01')", "22008"),
      ("record_workout('ann', 'w', '4714-01-01 BC')", "22008"),
      ("record_workout('ann', 'w', 'yesterdayish')", "22007"),
      ("record_workout('ann', 'w', now(), 2147483648)", "42883"),
      ("record_workout('ann', 'w', now(), 0, -1)", "ZB002"),
      // Unknown users and jobs.
      ("record_workout('nobody', 'w')", "ZB001"), ("record_workout('', 'w')", "ZB001"),
      ("enqueue('no-such-job', 'k')", "ZB005"), ("enqueue(null, 'k')", "ZB005"),
      ("enqueue('note', '')", "ZB006"), ("enqueue('note', E'a\\tb')", "ZB006"),
      ("set_time_zone('nobody', 'UTC')", "ZB001"),
    ])
  func `it is refused by name and nothing is written`(call: String, state: String) async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.join("ann")
      try await gym.run("insert into job (name, quiet, at_most) values ('note', '0', '0')")
      let error = await #expect(throws: PostgresError.self) {
        try await gym.run("select \(call)")
      }
      #expect(error?.sqlState.code == state)
      #expect((error?.message.utf8.count ?? 0) < 1_000)
      #expect(try await gym.written() == ["0"])
    }
  }

  @Test(
    .sampled(),
    arguments: [
      ("'infinity'", "rejected futureTimestamp"), ("'290000-01-01'", "rejected futureTimestamp"),
      ("'-infinity'", "expired"), ("'0044-03-15 BC'", "expired"), ("'1970-01-01'", "expired"),
    ])
  func `an absurd time has a final answer and counts nowhere`(time: String, answer: String)
    async throws
  {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.join("ann")
      for revision in [0, 0, 1, 1] {
        let answers = try await gym.lines(
          """
          select concat_ws(' ', outcome, reason)
          from record_workout('ann', 'w', \(time), 0, \(revision))
          """)
        #expect(answers == [answer])
      }
      #expect(try await gym.written(withLedger: false) == ["0"])
      // An accepted workout cannot be edited to this time either.
      #expect(try await gym.record("good", at: "2024-06-05 10:00") == "accepted 2024-06-03")
      let before = try await gym.lines("select w::text from workout w where workout_id = 'good'")
      try await gym.run("select record_workout('ann', 'good', \(time), 0, 1)")
      #expect(
        try await gym.lines("select w::text from workout w where workout_id = 'good'") == before)
    }
  }

  @Test func `a payload just within the limit is carried to the run`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.run("insert into job (name, quiet, at_most) values ('note', '0', '0')")
      try await gym.run("select enqueue('note', 'k', to_jsonb(repeat('x', 1000000)))")
      #expect(try await gym.lines("select length(payload::text)::text from event") == ["1000002"])
    }
  }

  @Test(.sampled()) func `a text of 1 MB is refused before it is read, in every call`() async throws
  {
    try await TestSchema.with { test in
      let calls = OversizedTexts.calls(try await test.sql(OversizedTexts.query))
      #expect(calls.count > 40)
      for call in calls {
        let error = await #expect(throws: PostgresError.self, "\(call)") {
          try await test.sql(call)
        }
        #expect(error?.message == OversizedTexts.refusal, "\(call)")
      }
    }
  }
}

extension Gym {
  /// Returns the rows that a call may have left.
  fileprivate func written(withLedger: Bool = true) async throws -> [String] {
    try await lines(
      """
      select ((select count(*) from event) + (select count(*) from entry)
        + (select count(*) from workout_day) + (select count(*) from challenge)
        + (select count(*) from workout where \(withLedger) or counted))::text
      """)
  }
}
