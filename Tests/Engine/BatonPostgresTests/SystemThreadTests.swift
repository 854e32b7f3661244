import BatonPostgres
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SystemThreadTests {
  @Test func `a started thread has the name, and executes its body once`() async throws {
    let names = Mutex<[String]>([])
    let isStarted = SystemThread.start(name: "the name of a thread") {
      let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
      names.withLock { $0.append(name ?? "none") }
    }
    #expect(isStarted)
    try await eventually("the thread has run") { names.withLock { !$0.isEmpty } }
    #expect(names.withLock { $0 } == ["the name of a t\n"])
  }

  @Test func `a thread that the system refuses executes nothing`() async throws {
    var token: Token? = Token()
    weak let kept = token
    // Linux refuses a thread whose stack is larger than the address space.
    let isStarted = SystemThread.start(name: "refused", stackSize: 1 << 50) { [token] in
      withExtendedLifetime(token) { _ = Issue.record("the body was executed") }
    }
    #expect(!isStarted)
    token = nil
    #expect(kept == nil, "the body of a refused thread is still in memory")
  }
}

private final class Token: Sendable {}
