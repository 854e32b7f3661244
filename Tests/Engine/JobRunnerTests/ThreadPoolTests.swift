import Foundation
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// Tests the number of threads: few threads for tasks that do not block, and one thread for each
/// task that blocks.
@Suite(.timeLimit(.minutes(5))) struct ThreadPoolTests {
  @Test func `each task that blocks gets a thread`() async throws {
    let threads = ThreadPool(200, name: "test")
    let gate = Gate()
    threads.startTogether { for _ in 1...199 { gate.start(on: threads) } }
    gate.start(on: threads)
    // No task ends before all tasks have begun, so each task has a thread.
    try await eventually("all have begun") { gate.began == 200 }
    gate.open()
    try await eventually("all have ended") { gate.ended == 200 }
    #expect(gate.threads == 200)
  }

  @Test func `there are no more threads than the maximum`() async throws {
    let threads = ThreadPool(5, name: "test")
    let gate = Gate()
    for _ in 1...20 { gate.start(on: threads) }
    try await eventually("five have begun") { gate.began == 5 }
    try await Task.sleep(for: .milliseconds(100))
    #expect(gate.began == 5)
    gate.open()
    try await eventually("all have ended") { gate.ended == 20 }
    #expect(gate.threads <= 5)
  }

  @Test func `tasks that do not block share few threads`() async throws {
    let threads = ThreadPool(1_000, name: "test")
    let gate = Gate()
    gate.open()
    for _ in 1...20 {
      threads.startTogether { for _ in 1...200 { gate.start(on: threads) } }
      try await Task.sleep(for: .milliseconds(5))
    }
    try await eventually("all have ended") { gate.ended == 4_000 }
    #expect(gate.threads <= 100, "\(gate.threads) threads")
  }
}

/// Records which tasks began and ended on which threads, and blocks all of them.
private final class Gate: Sendable {
  private struct State {
    var began = 0
    var ended = 0
    var threads: Set<UInt> = []
    var isOpen = false
  }

  private let state = Mutex(State())

  var began: Int { state.withLock { $0.began } }
  var ended: Int { state.withLock { $0.ended } }
  var threads: Int { state.withLock { $0.threads.count } }

  func open() { state.withLock { $0.isOpen = true } }

  /// Starts a task that blocks its thread until the gate is open.
  func start(on threads: ThreadPool) {
    Task(executorPreference: threads) { self.pass() }
  }

  private func pass() {
    state.withLock { state in
      state.began += 1
      state.threads.insert(UInt(bitPattern: ObjectIdentifier(Thread.current)))
    }
    while !state.withLock({ $0.isOpen }) { Thread.sleep(forTimeInterval: 0.005) }
    state.withLock { $0.ended += 1 }
  }
}
