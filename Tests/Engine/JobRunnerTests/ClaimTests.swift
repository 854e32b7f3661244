import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import JobRunner

extension NoteQueue {
  /// Claims runs like a worker that is registered on this queue's own connection.
  func claim(
    token: UUID = UUID(), worker: UUID = UUID(), from low: Timestamp = Timestamp(microseconds: 0)
  ) async throws -> [ClaimedRun] {
    try await connection.atomically(
      in: test.schema,
      QueueCalls.claim(
        job.definition, token: token, worker: worker, from: QueueFront.Place(due: low, id: 0)))
  }
}

@Suite(.bothWays) struct ClaimTests {
  @Test func `claims take what is due, oldest first, a batch at a time`() async throws {
    try await NoteQueue.with { queue in
      for n in 0..<12 { try await queue.write("k\(n)") }
      _ = try await queue.queue.foldAtOnce()
      try await queue.test.sql("update run set due = now() + interval '1 h' where key = 'k3'")
      try await queue.test.sql("update run set due = now() - interval '1 h' where key = 'k11'")
      let first = try await queue.claim()
      #expect(first.count == 10)
      #expect(first.contains { $0.key == "k11" })
      #expect(try await queue.claim().count == 1)
      #expect(try await queue.claim().isEmpty)
    }
  }

  @Test func `many claimers never share a run`() async throws {
    try await NoteQueue.with { queue in
      for start in stride(from: 0, to: 300, by: 100) {
        let keys = (start..<start + 100).map { "'k\($0)'" }.joined(separator: ",")
        try await queue.test.sql("select append_events('note.written', array[\(keys)])::text")
      }
      _ = try await queue.queue.foldAtOnce()
      let keys = try await withThrowingTaskGroup(of: [String].self) { group in
        for _ in 0..<6 {
          group.addTask {
            let connection = try await queue.test.connect()
            var keys: [String] = []
            while true {
              let claimed: [ClaimedRun] = try await connection.atomically(
                in: queue.test.schema,
                QueueCalls.claim(
                  queue.job.definition, token: UUID(), worker: UUID()))
              if claimed.isEmpty { break }
              keys += claimed.map(\.key)
            }
            await connection.close()
            return keys
          }
        }
        return try await group.reduce([], +)
      }
      #expect(keys.count == 300)
      #expect(Set(keys).count == 300)
    }
  }

  @Test func `the claim counts the attempt before the work begins`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      #expect(try await queue.claim().map(\.attempt) == [1])
      #expect(try await queue.test.sql("select attempt from run") == ["1"])
    }
  }

  @Test func `a claim begins at its mark`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("old", "new")
      _ = try await queue.queue.foldAtOnce()
      try await queue.test.sql("update run set due = now() - interval '1 h' where key = 'old'")
      let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
      let recent = Timestamp(microseconds: now.microseconds - 60_000_000)
      #expect(try await queue.claim(from: recent).map(\.key) == ["new"])
    }
  }
}
