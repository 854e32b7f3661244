import BatonPostgres
import TestSupport
import Testing

/// Rules 92 and 93: the notifications that a member reads, and marks as read.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NotificationCallTests {
  private func withNotifications(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.found("bob", "cid", "dan", "eve")
      try await body(gym)
    }
  }

  private func page(_ arguments: String = "", in gym: Gym) async throws -> [String] {
    try await gym.lines("select message from notifications('ann'\(arguments))")
  }

  @Test func `pages follow each other without a gap, newest first`() async throws {
    try await withNotifications { gym in
      let all = try await page(in: gym)
      #expect(all == ["Eve", "Dan", "Cid", "Bob"].map { $0 + " joined Early birds." })
      let second = "from notifications('ann', page_size => 2) offset 1"
      let next = try await page(
        ", (select created_at \(second)), (select id \(second)), 10", in: gym)
      #expect(next == Array(all.suffix(2)))
    }
  }

  @Test func `the badge counts what is unread and visible`() async throws {
    try await withNotifications { gym in
      #expect(try await gym.call("badge('ann')") == "4")
      let ids = "array(select id from notifications('ann', page_size => 3))"
      #expect(try await gym.call("mark_read('bob', \(ids))") == "0")
      #expect(try await gym.call("mark_read('ann', \(ids))") == "3")
      #expect(try await gym.call("mark_read('ann', \(ids))") == "0")
      #expect(try await gym.call("badge('ann')") == "1")
      #expect(try await gym.lines("select is_read::text from notifications('ann')").count == 4)
      try await gym.stand(at: "2024-06-12 12:00")
      #expect(try await gym.call("badge('ann')") == "0")
      #expect(try await page(in: gym) == [])
    }
  }

  @Test func `pages and lists have a size`() async throws {
    try await withNotifications { gym in
      for call in [
        "mark_read('ann', null)", "mark_read('ann', array_fill(1::bigint, array[1001]))",
        "(select count(*) from notifications('ann', page_size => 0))",
        "(select count(*) from notifications('ann', page_size => 201))",
      ] {
        let answer = try await gym.call(call)
        #expect(answer == "invalidInput", "\(call)")
      }
      for call in ["badge('zoe')", "mark_read(null, '{}')"] {
        let answer = try await gym.call(call)
        #expect(answer == "notAuthenticated", "\(call)")
      }
    }
  }
}
