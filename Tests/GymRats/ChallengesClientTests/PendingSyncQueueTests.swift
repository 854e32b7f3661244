import Challenges
import ChallengesApp
import ChallengesTesting
import Foundation
import Testing

/// A server that responds as a test requests, and records its requests.
private actor ScriptedServer: WorkoutRepository {
  enum Step: Sendable {
    case answer(WorkoutOutcome)
    case refuse(any Error)
    /// Waits until `release`, and then responds.
    case hold
  }

  private var steps: [String: [Step]]
  private(set) var calls: [String] = []
  private var held: [CheckedContinuation<Void, Never>] = []
  private var isReleased = false

  init(_ steps: [String: [Step]] = [:]) { self.steps = steps }

  var heldCount: Int { held.count }

  func release() {
    isReleased = true
    for call in held { call.resume() }
    held = []
  }

  func recordWorkout(_ entry: WorkoutHistoryEntry) async throws -> WorkoutAnswer {
    try await answer("\(entry.id)/\(entry.revision)", of: entry.id)
  }

  func deleteWorkout(_ workoutId: String, revision: Int) async throws -> WorkoutAnswer {
    try await answer("-\(workoutId)/\(revision)", of: workoutId)
  }

  private func answer(_ call: String, of id: String) async throws -> WorkoutAnswer {
    calls.append(call)
    var outcome = WorkoutOutcome.accepted
    if steps[id]?.isEmpty == false {
      switch steps[id]?.removeFirst() {
      case .answer(let other): outcome = other
      case .refuse(let error): throw error
      case .hold:
        if !isReleased { await withCheckedContinuation { held.append($0) } }
        try Task.checkCancellation()
      case nil: break
      }
    }
    return WorkoutAnswer(outcome: outcome, week: nil, isReplayed: false)
  }
}

/// A clock that advances when a task sleeps or when a test requests it.
private actor SleepLog {
  private(set) var pauses: [Duration] = []
  private(set) var now = Duration.zero
  func sleep(_ pause: Duration) {
    pauses.append(pause)
    now += pause
  }
}

private struct UnknownFailure: Error {}

/// Tests the entries that wait for the server, and how they are sent.
@Suite struct PendingSyncQueueTests {
  private let folder: Folder
  private let phone: Phone
  private let on = PrivacySettings()

  init() async throws {
    folder = try Folder()
    phone = await Phone("ana")
  }

  private func queue(
    capacity: Int = 1_000, mostFailures: Int = 100, now: Duration = .zero
  ) throws -> PendingSyncQueue {
    try PendingSyncQueue(
      folder: folder.url, userId: "ana", capacity: capacity, mostFailures: mostFailures,
      backoff: Backoff(first: .seconds(1), longest: .seconds(60)),
      time: SyncTime(now: { now }, sleep: { _ in }, random: { 1 }))
  }

  private func sync(_ server: ScriptedServer) -> SyncWorkoutCompletionUseCase {
    SyncWorkoutCompletionUseCase(authentication: phone.authentication, workouts: server)
  }

  private func fill(_ queue: PendingSyncQueue, _ ids: String...) async throws {
    for id in ids { try await queue.enqueue(phone.workout(id), privacy: on) }
  }

  @Test func `what was done offline arrives when there is a network, in its order`() async throws {
    let group = try await phone.createGroup.execute(name: "Gym")
    let queue = try queue()
    await phone.server.setReachable(false)
    try await fill(queue, "a", "b", "c")
    let offline = await queue.processQueue(syncUseCase: phone.sync)
    #expect(offline.stop == .networkUnavailable && offline.remaining == 3)
    #expect(offline.nextAttempt == .seconds(1))
    await phone.server.setReachable(true)
    let online = await queue.processQueue(syncUseCase: phone.sync)
    #expect(online.finished.map(\.change.workout.id) == ["a", "b", "c"])
    #expect(online.finished.allSatisfy { $0.end == .outcome(.accepted) })
    #expect(online.remaining == 0 && online.nextAttempt == nil && online.stop == nil)
    #expect(try await phone.values(group, .checkIns) == [3])
  }

  @Test(arguments: [
    WorkoutOutcome.accepted, .duplicate, .notCounted(reason: "beforeJoining"), .ignoredPrivacy,
    .noActiveGroup, .acceptedLate, .expired, .rejected(reason: "tooOld"),
  ])
  func `every outcome is final`(outcome: WorkoutOutcome) async throws {
    let queue = try queue()
    try await fill(queue, "a")
    let server = ScriptedServer(["a": [.answer(outcome)]])
    let report = await queue.processQueue(syncUseCase: sync(server))
    #expect(report.finished.map(\.end) == [.outcome(outcome)])
    #expect(await queue.pending == [])
    #expect(await queue.processQueue(syncUseCase: sync(server)).finished == [])
    #expect(await server.calls.count == 1)
  }

  @Test func `a refusal for ever goes, one for now and one for want of a user stay`() async throws {
    let queue = try queue()
    try await fill(queue, "a", "b", "c")
    let server = ScriptedServer([
      "a": [.refuse(DomainError.invalidInput)], "b": [.refuse(DomainError.networkUnavailable)],
    ])
    let first = await queue.processQueue(syncUseCase: sync(server))
    #expect(first.finished.map(\.end) == [.refused(.invalidInput)])
    #expect(first.stop == .networkUnavailable && first.remaining == 2)
    try await phone.authentication.signOut()
    let second = await queue.processQueue(syncUseCase: sync(server))
    #expect(second.stop == .signInNeeded && second.remaining == 2 && second.nextAttempt == nil)
    #expect(await server.calls == ["a/0", "b/0"])
  }

  @Test func `nothing is written where sharing is off, nothing sent where it is off by then`()
    async throws
  {
    let queue = try queue()
    let off = PrivacySettings(shareWorkoutData: false)
    #expect(try await queue.enqueue(phone.workout("a"), privacy: off) == .ignoredPrivacy)
    #expect(await queue.pending == [])
    try await fill(queue, "b")
    try await phone.share(false)
    let server = ScriptedServer()
    let report = await queue.processQueue(syncUseCase: sync(server))
    #expect(report.finished.map(\.end) == [.outcome(.ignoredPrivacy)])
    #expect(await server.calls == [])
  }

  @Test func `edits of one workout keep their order, others pass by`() async throws {
    let queue = try queue()
    try await fill(queue, "a")
    var edit = phone.workout("a")
    edit.revision = 1
    try await queue.enqueue(edit, privacy: on)
    try await fill(queue, "b")
    try await queue.enqueueDeletion(of: "a", revision: 2)
    let server = ScriptedServer(["a": [.refuse(UnknownFailure())]])
    let report = await queue.processQueue(syncUseCase: sync(server))
    #expect(await server.calls == ["a/0", "b/0"])
    #expect(report.remaining == 3 && report.stop == nil && report.nextAttempt == .seconds(1))
    // The pause ends while another process runs.
    let first = await queue.pending.first
    #expect(first?.failures == 1)
  }

  @Test func `after a pause the same workout goes on where it was`() async throws {
    let log = SleepLog()
    let clock = ManualClock(at: Date(timeIntervalSince1970: 0))
    let queue = try PendingSyncQueue(
      folder: folder.url, userId: "ana",
      time: SyncTime(
        now: { .seconds(clock.now.timeIntervalSince1970) }, sleep: { await log.sleep($0) },
        random: { 0 }))
    try await fill(queue, "a")
    try await queue.enqueueDeletion(of: "a", revision: 1)
    let server = ScriptedServer(["a": [.refuse(UnknownFailure())]])
    _ = await queue.processQueue(syncUseCase: sync(server))
    _ = await queue.processQueue(syncUseCase: sync(server))
    #expect(await server.calls == ["a/0"])
    clock.advance(by: 0.5)
    _ = await queue.processQueue(syncUseCase: sync(server))
    #expect(await server.calls == ["a/0", "a/0", "-a/1"])
    #expect(await queue.pending == [])
  }

  @Test func `what fails too often for unknown reasons goes, and is told`() async throws {
    let server = ScriptedServer(["a": Array(repeating: .refuse(UnknownFailure()), count: 9)])
    var ends: [SyncReport.End] = []
    for pass in 1...3 {
      // Each pass has a separate process, because the count is stored in the file.
      let queue = try queue(mostFailures: 3)
      if pass == 1 { try await fill(queue, "a") }
      ends += await queue.processQueue(syncUseCase: sync(server)).finished.map(\.end)
      await queue.close()
    }
    #expect(ends == [.gaveUp])
    #expect(try await queue().pending == [])
  }

  @Test func `one pass at a time, however many are asked for`() async throws {
    let queue = try queue()
    try await fill(queue, "a", "b")
    let server = ScriptedServer(["a": [.hold]])
    let use = sync(server)
    let first = Task { await queue.processQueue(syncUseCase: use) }
    try await eventually { await server.heldCount == 1 }
    for _ in 0..<10 {
      #expect(await queue.processQueue(syncUseCase: use).stop == .alreadyRunning)
    }
    // An entry that is added during the pass belongs to the pass.
    try await fill(queue, "c")
    await server.release()
    #expect(await first.value.finished.map(\.change.workout.id) == ["a", "b", "c"])
    #expect(await server.calls == ["a/0", "b/0", "c/0"])
  }

  @Test func `a cancelled pass loses nothing`() async throws {
    let queue = try queue()
    try await fill(queue, "a", "b")
    let server = ScriptedServer(["a": [.hold]])
    let use = sync(server)
    let pass = Task { await queue.processQueue(syncUseCase: use) }
    try await eventually { await server.heldCount == 1 }
    pass.cancel()
    await server.release()
    let report = await pass.value
    #expect(report.stop == .cancelled && report.finished == [])
    #expect(await queue.pending.map(\.workout.id) == ["a", "b"])
  }

  @Test func `the same again is one change, another of the same revision is none`() async throws {
    let queue = try queue()
    try await fill(queue, "a")
    #expect(try await queue.enqueue(phone.workout("a"), privacy: on) == .alreadyQueued)
    phone.clock.advance(by: 1)
    await #expect(throws: PendingSyncError.revisionTaken) {
      try await queue.enqueue(phone.workout("a"), privacy: on)
    }
    await #expect(throws: PendingSyncError.revisionTaken) {
      try await queue.enqueueDeletion(of: "a", revision: 0)
    }
    #expect(try await queue.enqueueDeletion(of: "a", revision: 1) == .queued)
    #expect(try await queue.enqueueDeletion(of: "a", revision: 1) == .alreadyQueued)
    // As for the server, two spellings of one letter are two ids.
    try await fill(queue, "\u{e9}", "e\u{301}")
    #expect(await queue.pending.count == 4)
  }

  @Test func `a queue is bounded, and what is no workout does not come in`() async throws {
    let queue = try queue(capacity: 2)
    try await fill(queue, "a", "b")
    await #expect(throws: PendingSyncError.full(limit: 2)) { try await fill(queue, "c") }
    #expect(await queue.pending.map(\.workout.id) == ["a", "b"])
    let bad = [
      WorkoutHistoryEntry(id: "", performedAt: phone.clock.now),
      WorkoutHistoryEntry(id: String(repeating: "a", count: 257), performedAt: phone.clock.now),
      WorkoutHistoryEntry(id: "a\n", performedAt: phone.clock.now),
      WorkoutHistoryEntry(id: "d", performedAt: nil),
      WorkoutHistoryEntry(id: "d", performedAt: .distantFuture.addingTimeInterval(1e12)),
      WorkoutHistoryEntry(id: "d", performedAt: phone.clock.now, revision: -1),
      WorkoutHistoryEntry(id: "d", performedAt: phone.clock.now, utcOffsetSeconds: .max),
    ]
    for entry in bad {
      await #expect(throws: PendingSyncError.invalid) {
        try await queue.enqueue(entry, privacy: on)
      }
    }
  }

  @Test func `a workout sent before and after a restart is the same to the microsecond`()
    async throws
  {
    let instant = Date(timeIntervalSince1970: 1_768_392_000.123_456_789)
    let before: PendingChange?
    do {
      let queue = try queue()
      try await queue.enqueue(
        WorkoutHistoryEntry(id: "a", performedAt: instant), privacy: on)
      before = await queue.pending.first
      await queue.close()
    }
    #expect(try await queue().pending.first == before)
    #expect(before != nil)
  }

  @Test func `pauses double up to the longest one, and differ between phones`() {
    let backoff = Backoff(first: .seconds(1), longest: .seconds(300))
    let pauses = [1, 2, 3, 9, 10, 64, .max].map { backoff.pause(after: $0, random: 1) }
    #expect(pauses == [1, 2, 4, 256, 300, 300, 300].map { .seconds($0) })
    #expect(backoff.pause(after: 3, random: 0) == .seconds(2))
    #expect(backoff.pause(after: 0, random: 1) == .seconds(1))
  }

  @Test func `a queue empties itself when the network comes back`() async throws {
    let log = SleepLog()
    let queue = try PendingSyncQueue(
      folder: folder.url, userId: "ana",
      time: SyncTime(
        now: { .zero }, sleep: { await log.sleep($0) }, random: { 1 }))
    let connectivity = ManualConnectivity(isOnline: false)
    let server = ScriptedServer([
      "a": [.refuse(DomainError.networkUnavailable), .refuse(DomainError.networkUnavailable)]
    ])
    let use = sync(server)
    let run = Task { await queue.run(syncUseCase: use, connectivity: connectivity) }
    try await fill(queue, "a")
    try await Task.sleep(for: .milliseconds(20))
    #expect(await server.calls == [])
    connectivity.change(isOnline: true)
    // The queue continues by itself after each pause.
    try await eventually { await queue.pending == [] }
    #expect(await server.calls == ["a/0", "a/0", "a/0"])
    #expect(await log.pauses == [.seconds(1), .seconds(2)])
    // An entry that is added while the network is available is sent immediately.
    try await fill(queue, "b")
    try await eventually { await queue.pending == [] }
    run.cancel()
    await run.value
  }

  @Test func `a pass that somebody else asked for is followed by one of its own`() async throws {
    let queue = try PendingSyncQueue(
      folder: folder.url, userId: "ana",
      time: SyncTime(now: { .zero }, sleep: { _ in }, random: { 1 }))
    let server = ScriptedServer(["a": [.refuse(DomainError.networkUnavailable)]])
    let use = sync(server)
    try await phone.authentication.signOut()
    try await fill(queue, "a")
    let (reports, tell) = AsyncStream<SyncReport>.makeStream()
    let run = Task {
      await queue.run(syncUseCase: use, connectivity: ManualConnectivity(isOnline: true)) {
        tell.yield($0)
      }
    }
    var seen = reports.makeAsyncIterator()
    #expect(await seen.next()?.stop == .signInNeeded)
    await phone.authentication.signIn(as: "ana")
    #expect(await queue.processQueue(syncUseCase: use).stop == .networkUnavailable)
    #expect(await seen.next()?.finished.map(\.end) == [.outcome(.accepted)])
    // Closing the queue also ends the stream.
    await queue.close()
    await run.value
    #expect(await server.calls == ["a/0", "a/0"])
  }
}
