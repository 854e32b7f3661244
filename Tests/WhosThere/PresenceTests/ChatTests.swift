import BatonPostgres
import Foundation
import JobTesting
import Presence
import PresenceSQL
import TestSupport
import Testing

/// Tests properties of chat that only the database has: its token bucket, its weeks, and the
/// deletion of messages.
@Suite(.timeLimit(.minutes(5))) struct ChatTests {
  /// Returns a number as an id.
  static func id(_ number: Int) -> String {
    "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
  }

  /// Returns the call that sends a message with a number as its id.
  static func send(_ user: String, _ number: Int, to group: String = "g") -> String {
    "send_message('\(user)', '\(group)', '\(id(number))', 'm\(number)')"
  }

  @Test(.sampled()) func `the bucket is the library's, to the microsecond, over random times`()
    async throws
  {
    let random = Randomness()
    try await Places.with(at: "2026-01-14 12:00") { places in
      try await places.accounts("ann")
      try await places.found("g", by: "ann")
      let beginning = Date(timeIntervalSince1970: 1_768_392_000)
      var (limiter, microseconds, refusals) = (RateLimiter(), 0, 0)
      for number in 1...50 {
        // The clock also goes back, which must not delay any user.
        let step = random.number(in: 0...9)
        microseconds +=
          step == 0
          ? -random.number(in: 0...30_000_000)
          : step < 6 ? random.number(in: 0...1_500_000) : random.number(in: 0...6_000_000)
        let now = beginning.addingTimeInterval(Double(microseconds) / 1_000_000)
        let text = try #require(InstantText.text(of: now))
        try await places.stand(at: String(text.dropLast()))
        let expected = Result { () throws(AppError) in try limiter.take(at: now) }
        let answer = try await detailOfRefusal(Self.send("ann", number), in: places)
        switch expected {
        case .success: #expect(answer == nil, "\(number), \(random)")
        case .failure(let error):
          refusals += 1
          let seen = AppError(
            sqlState: "ZW013", constraint: "rateLimited", detail: answer ?? "none")
          #expect(
            answer != nil && seen == error,
            "\(number): \(answer ?? "sent") instead of \(error), \(random)")
        }
      }
      #expect((1..<50).contains(refusals), "\(random)")
    }
  }

  /// Returns the detail of a refused call, or nil if the call succeeded.
  private func detailOfRefusal(_ call: String, in places: Places) async throws -> String? {
    try await places.sql(
      """
      create or replace function detail() returns text language plpgsql as $f$
      declare said text;
      begin
        perform \(call);
        return null;
      exception when sqlstate 'ZW013' then
        get stacked diagnostics said = pg_exception_detail;
        return said;
      end $f$
      """)
    let answer = try await places.sql("select coalesce(detail(), 'sent')")
    return answer == ["sent"] ? nil : answer[0]
  }

  @Test func `messages go over to the account, and stay without name when it goes`() async throws {
    try await Places.with(at: "2026-01-14 12:00") { places in
      try await places.devices("dev")
      try await places.accounts("acc", "boss")
      try await places.found("g", by: "boss", "dev", "acc")
      try await places.found("h", by: "boss", "dev")
      for number in 1...4 { try await places.call(Self.send("dev", number)) }
      try await places.call(Self.send("acc", 5))
      try await places.call(Self.send("dev", 6, to: "h"))
      try await places.call("link_account('dev', 'google', 'acc')")
      let authors = "select user_id, count(*) from message group by 1 order by 1"
      #expect(try await places.sql(authors) == ["acc,6"])
      // The emptier of both buckets counts: one more message, and then none.
      #expect(
        try await places.sql(
          "select user_id, group_id, extract(epoch from full_at - domain_now())::int from message_bucket order by 2"
        ) == ["acc,g,8", "acc,h,2"])
      #expect(try await places.call(Self.send("acc", 7)).hasPrefix(Self.id(7)))
      #expect(try await places.call(Self.send("acc", 8)) == "rateLimited")
      // A message that the device sent before the merge is found again.
      #expect(try await places.call(Self.send("acc", 1), "user_id") == "acc")
      try await places.call("delete_account('acc')")
      #expect(try await places.sql("select count(*), count(user_id) from message") == ["7,0"])
      #expect(try await places.sql("select count(*) from message_bucket") == ["0"])
      #expect(try await places.broken() == [])
    }
  }

  @Test func `a week goes when all of it is old, and nothing that is young`() async throws {
    try await Places.with(at: "2026-01-14 12:00") { places in
      try await places.accounts("ann")
      try await places.found("g", by: "ann")
      for (number, day) in ["2026-01-14", "2026-01-15", "2026-01-21", "2026-01-22"].enumerated() {
        try await places.stand(at: "\(day) 12:00")
        try await places.call(Self.send("ann", number))
      }
      let weeks = "select partition, count(*) from message group by 1 order by 1"
      let three = try await places.sql(weeks)
      #expect(three.map { $0.split(separator: ",")[1] } == ["1", "2", "1"])
      // 90 days after the second day of the second week, the first week is old. The second week is
      // not completely old.
      try await places.stand(at: "2026-04-16 12:00")
      let old = three.map { "message_" + $0.split(separator: ",")[0] }
      for (partition, isGone) in zip(old, ["t", "f", "f"]) {
        #expect(
          try await places.sql("select truncate_messages('\(partition)', 'infinity')") == [isGone])
      }
      for table in ["users", "message", "message_bucket", "message_16", "message_1, users"] {
        await #expect(throws: (any Error).self) {
          try await places.sql("select truncate_messages('\(table)', 'infinity')")
        }
      }
      #expect(try await places.sql(weeks) == Array(three.dropFirst()))
      // When the first message is no longer known, the same id is another message.
      #expect(try await places.call(Self.send("ann", 0), "sent_at") == "2026-04-16 12:00:00+00")
    }
  }

  @Test func `messages that a wrong clock dated years ahead go with the old ones of their week`()
    async throws
  {
    try await Places.with(at: "2026-01-14 12:00") { places in
      try await places.accounts("ann")
      try await places.found("g", by: "ann")
      try await places.call(Self.send("ann", 1))
      // 188,160 hours are 70 rounds of the sixteen weeks.
      try await places.sql(
        """
        insert into message (partition, created_at, id, group_id, user_id, content)
        select partition, created_at + interval '188160 hours', gen_random_uuid(), 'g', 'ann', 'm'
        from message
        """)
      let old = "select relation from (\(SQL.Retention.listOldMessages.text)) o"
      #expect(try await places.sql(old) == [])
      try await places.stand(at: "2026-04-16 12:00")
      let listed = try await places.sql(old)
      let partition = try #require(listed.first)
      #expect(try await places.sql("select truncate_messages('\(partition)', 'infinity')") == ["t"])
      #expect(try await places.sql("select count(*) from message") == ["0"])
    }
  }
}
