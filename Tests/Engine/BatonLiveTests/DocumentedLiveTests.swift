import BatonLive
import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Compiles and runs the examples of docs/internals/live.md.
///
/// `QuoteTests` compare that page with this file.
@Suite(.timeLimit(.minutes(5))) struct DocumentedLiveTests {
  /// Returns the call in which the page's publisher names chats.
  private func documentedCall() throws -> String {
    let page = Checkout.root.appending(path: "docs/internals/live.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    return String(try #require(text.firstMatch(of: /`(select wake_observers_of\([^`]+)`/)).output.1)
  }

  @Test func `a chat is shown, and again when a statement has said that it is another one`()
    async throws
  {
    try await TestSchema.with { test in
      try await test.sql("create table chat (id bigint primary key, lines text[] not null)")
      try await test.sql("insert into chat values (7, '{hello}'), (8, '{other}')")
      let shown = Lines()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          await follow(test.configuration, in: test.schema) { shown.add($0) }
        }
        try await eventually("the chat") { shown.all == ["hello for ana"] }
        try await test.sql("update chat set lines = lines || '{bye}'")
        try await test.sql(documentedCall())
        try await eventually("its next line") {
          shown.all == ["hello for ana", "hello bye for ana"]
        }
        group.cancelAll()
      }
    }
  }

  private func follow(
    _ configuration: ConnectionConfiguration, in schema: Schema, show: (String) -> Void
  ) async {
    let hub = LiveHub(configuration, in: schema)
    let chats = hub.channel(for: ChatFeed())  // yours: a LiveFeed
    for await element in chats.observe(Chat.ID(7), as: "ana") { show(element) }

    hub.close()
  }
}

private enum Chat {
  struct ID: Hashable, Sendable {
    let number: Int64

    init(_ number: Int64) { self.number = number }
  }
}

/// Chats that anybody may read: their lines, and for whom.
private struct ChatFeed: LiveFeed {
  let name = "chats"
  let late = "late"

  func key(of topic: Chat.ID, at version: Int) -> String? { "\(topic.number)" }

  func listChanged(
    _ known: [(topic: Chat.ID, version: Int?)], on session: Session
  ) async throws -> [Chat.ID] {
    let chats = try await read(known.map(\.topic), on: session)
    return known.filter { chats[$0.topic]?.count != $0.version }.map(\.topic)
  }

  func read(
    _ topics: [Chat.ID], for viewers: [(topic: Chat.ID, viewer: String)], on session: Session
  ) async throws -> LiveReading<Self> {
    LiveReading(
      topics: try await read(topics, on: session).mapValues { (version: $0.count, snapshot: $0) })
  }

  private func read(
    _ topics: [Chat.ID], on session: Session
  ) async throws -> [Chat.ID: [String]] {
    let list = Call.rows(
      Statement("test/chats", "select id, line from chat, unnest(lines) line where id = any ($1)"),
      topics.map(\.number)
    ) { (row) throws(PostgresError) in try row.decode(Int64.self, String.self) }
    let lines = try await session.atomically(list)
    return Dictionary(grouping: lines) { Chat.ID($0.0) }.mapValues { $0.map(\.1) }
  }

  func element(of snapshot: [String], for viewer: String) -> String {
    "\(snapshot.joined(separator: " ")) for \(viewer)"
  }
}
