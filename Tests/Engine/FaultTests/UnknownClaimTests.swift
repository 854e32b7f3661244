import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import JobRunner

/// Runs that are running although no worker processes them.
///
/// The queue detects such runs itself.
@Suite(.timeLimit(.minutes(5)))
struct UnknownClaimTests {
  @Test func `the run of a worker that is not registered comes back`() async throws {
    try await CountQueue.with { queue in
      try await claimed(queue, by: UUID(), token: UUID())
      #expect(try await queue.look { try await $0.reclaim()?.released } == 1)
      #expect(try await queue.sql("select state, crashes from run") == ["ready,1"])
    }
  }

  @Test func `a claim that its worker does not know of comes back, one that it knows stays`()
    async throws
  {
    try await CountQueue.with { queue in
      let identity = WorkerIdentity()
      let token = UUID()
      try await claimed(queue, by: identity.id, token: token)
      identity.claims.begin(token)
      try await queue.look { try await $0.releaseUnknown(to: identity) }
      #expect(try await queue.sql("select state, attempt from run") == ["running,1"])
      identity.claims.abandon(token)
      #expect(identity.claims.isInDoubt)
      try await queue.look { try await $0.releaseUnknown(to: identity) }
      #expect(try await queue.sql("select state, attempt from run") == ["ready,0"])
    }
  }

  @Test(.sampled()) func `a claim that comes between the look and the release stays`() async throws
  {
    try await CountQueue.with { queue in
      let identity = WorkerIdentity()
      let lost = UUID()
      try await claimed(queue, by: identity.id, token: lost)
      let unknown = try await queue.look { try await $0.unknownTokens(of: identity) }
      #expect(unknown == [lost])
      let next = UUID()
      identity.claims.begin(next)
      try await queue.write("k2")
      _ = try await queue.look { try await $0.foldAtOnce() }
      try await queue.sql(
        """
        update run set state = 'running', attempt = 1, token = '\(next)', worker = '\(identity.id)'
        where state = 'ready'
        """)
      try await queue.look { try await $0.release(unknown, of: identity) }
      #expect(
        try await queue.sql("select key, state, attempt from run order by key") == [
          "k1,ready,0", "k2,running,1",
        ])
    }
  }

  private func claimed(_ queue: CountQueue, by worker: UUID, token: UUID) async throws {
    try await queue.write("k1")
    _ = try await queue.look { try await $0.foldAtOnce() }
    try await queue.sql(
      "update run set state = 'running', attempt = 1, token = '\(token)', worker = '\(worker)'")
  }
}
