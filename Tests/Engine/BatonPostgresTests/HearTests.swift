import BatonPostgres
import TestSupport
import Testing

/// Tests messages that other sessions send with NOTIFY, and the time to wait for such messages.
@Suite(.timeLimit(.minutes(5)))
struct HearTests {
  private let channel = "test_\(UInt32.random(in: .min ... .max))"

  @Test func `messages of other sessions are returned once, in order, without the session's own`()
    async throws
  {
    try await withConnection { listener in
      try await listener.run(.execute("listen \(channel)"))
      try await listener.run(.execute("select pg_notify($1, 'own')", channel))
      try await withConnection { other in
        for text in ["a", "", "c"] {
          try await other.run(.execute("select pg_notify($1, $2)", channel, text))
        }
      }
      var messages: [String] = []
      while messages.count < 3 {
        let some = try await listener.hear(until: .now + .seconds(30))
        try #require(!some.isEmpty)
        messages += some
      }
      #expect(messages == ["a", "", "c"])
      let more = try await listener.hear(until: .now + .milliseconds(50))
      #expect(more.isEmpty)
    }
  }

  @Test func `a message that arrives during a wait ends the wait`() async throws {
    try await withConnection { listener in
      try await listener.run(.execute("listen \(channel)"))
      let waiting = Task { try await listener.hear(until: .now + .seconds(60)) }
      try await withConnection { other in
        try await other.run(.execute("select pg_notify($1, 'now')", channel))
      }
      let messages = try await expectTime(below: .seconds(5) * patience, "the wait") {
        try await waiting.value
      }
      #expect(messages == ["now"])
    }
  }

  @Test func `a cancelled task ends its wait, and the connection remains usable`() async throws {
    try await withConnection { listener in
      let messages = try await expectTime(below: .seconds(5) * patience, "a cancelled wait") {
        let waiting = Task { try await listener.hear(until: .now + .seconds(60)) }
        waiting.cancel()
        return try await waiting.value
      }
      #expect(messages.isEmpty)
      let one = try await listener.run(.value("select 1", as: Int32.self))
      #expect(one == 1)
    }
  }

  @Test func `a connection that is lost ends the wait with an error`() async throws {
    try await withConnection { listener in
      let pid = await listener.backend.pid
      let waiting = Task { try await listener.hear(until: .now + .seconds(60)) }
      try await withConnection { other in
        try await other.run(.execute("select pg_terminate_backend($1)", pid))
      }
      let error = await #expect(throws: PostgresError.self) { try await waiting.value }
      #expect(error?.sqlState.isConnectionLoss == true)
      #expect(listener.isBroken)
    }
  }
}
