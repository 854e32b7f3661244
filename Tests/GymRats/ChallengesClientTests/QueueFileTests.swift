import Challenges
import ChallengesApp
import ChallengesTesting
import Foundation
import SHA256
import TestDice
import Testing

/// Tests the queue's file.
///
/// It is complete at every moment, and is moved aside if its contents are invalid.
@Suite struct QueueFileTests {
  private let folder: Folder
  private let instant = RepositoryContract.beginning

  init() throws { folder = try Folder() }

  /// Opens and closes a queue, and returns its contents and whether the file was moved aside.
  private func read(
    _ userId: String = "ana"
  ) async throws -> (pending: [PendingChange], unreadable: UnreadableFile?) {
    let queue = try open(userId)
    let pending = await queue.pending
    await queue.close()
    return (pending, queue.unreadable)
  }

  private func open(_ userId: String = "ana", capacity: Int = 1_000) throws -> PendingSyncQueue {
    try PendingSyncQueue(folder: folder.url, userId: userId, capacity: capacity)
  }

  private func fill(_ count: Int) async throws {
    let queue = try open()
    for number in 0..<count {
      try await queue.enqueue(
        WorkoutHistoryEntry(id: "w\(number)", performedAt: instant, utcOffsetSeconds: -3_600),
        privacy: PrivacySettings())
    }
    await queue.close()
  }

  private func ids() async throws -> [String] { try await read().pending.map(\.workout.id) }

  @Test func `what was queued is there after a restart, for its user alone`() async throws {
    try await fill(3)
    #expect(try await ids() == ["w0", "w1", "w2"])
    #expect(try await read("ben").pending == [])
    #expect(try await ids() == ["w0", "w1", "w2"])
  }

  @Test func `one queue has a file at a time, until it is closed`() async throws {
    let first = try open()
    #expect(throws: PendingSyncError.inUse) { try open() }
    #expect(throws: Never.self) { try open("ben") }
    let workout = WorkoutHistoryEntry(id: "w", performedAt: instant)
    try await first.enqueue(workout, privacy: PrivacySettings())
    await first.close()
    await #expect(throws: PendingSyncError.closed) {
      try await first.enqueueDeletion(of: "w", revision: 1)
    }
    let phone = await Phone("ana")
    let report = await first.processQueue(syncUseCase: phone.sync)
    #expect(report.finished == [] && report.remaining == 1)
    #expect(try await ids() == ["w"])
  }

  @Test func `a file cut off at any byte is put aside, and the queue goes on empty`() async throws {
    try await fill(3)
    let file = try folder.queueFile()
    let whole = try Data(contentsOf: file)
    #expect(whole.count > 300)
    for length in 0..<whole.count {
      try whole.prefix(length).write(to: file)
      let queue = try await read()
      #expect(queue.pending == [], "\(length)")
      let aside = try #require(queue.unreadable, "\(length)")
      #expect(try Data(contentsOf: URL(filePath: aside.path)) == whole.prefix(length))
      try FileManager.default.removeItem(atPath: aside.path)
    }
    try whole.write(to: file)
    #expect(try await ids() == ["w0", "w1", "w2"])
  }

  @Test func `one changed bit anywhere is noticed`() async throws {
    try await fill(2)
    let file = try folder.queueFile()
    let whole = try Data(contentsOf: file)
    for index in whole.indices {
      var damaged = whole
      damaged[index] ^= 1 << UInt8(index % 8)
      try damaged.write(to: file)
      let queue = try await read()
      #expect(queue.pending == [] && queue.unreadable != nil, "\(index)")
    }
    // At most nine files are kept, so that a faulty disk does not fill up.
    #expect(try folder.names.filter { $0.contains(".unreadable-") }.count == 9)
  }

  @Test func `a file of another user, another release or another size is put aside`() async throws {
    try await fill(2)
    let file = try folder.queueFile()
    let whole = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let payload = try #require(whole.split(separator: "\n").last).description
    func write(_ payload: String, version: Int = 1) throws {
      let digest = SHA256Digest.hex(of: payload.utf8)
      let line = "baton-pending-workouts \(version) \(payload.utf8.count) \(digest)\n"
      try Data((line + payload).utf8).write(to: file)
    }
    let cases: [(String, Int)] = [
      (payload.replacing("\"ana\"", with: "\"ben\""), 1), (payload, 2), ("", 1), ("{}", 1),
      ("[[[[", 1), (String(repeating: "[", count: 100_000), 1),
      (payload.replacing("w1", with: ""), 1),
      (payload.replacing("\"revision\":0", with: "\"revision\":-1"), 1),
      (payload + String(repeating: " ", count: 3 << 20), 1),
    ]
    for (payload, version) in cases {
      try write(payload, version: version)
      let queue = try await read()
      #expect(queue.pending == [])
      #expect(queue.unreadable != nil, "\(payload.prefix(80))")
    }
    try write(payload)
    #expect(try await ids() == ["w0", "w1"])
  }

  @Test func `what is no file is an error or is put aside, and nobody waits for it`() async throws {
    _ = try await read()
    let lock = try #require(try folder.names.first { $0.hasSuffix(".lock") })
    let path = folder.url.appending(path: String(lock.dropLast(5))).path(percentEncoded: false)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(try await read().unreadable != nil)
    #expect(mkdir(path, 0o700) == 0)
    #expect(try await read().unreadable != nil)
  }

  @Test func `a disk that takes nothing leaves the queue as it was`() async throws {
    try await fill(1)
    let queue = try open()
    let beside = try folder.queueFile().appendingPathExtension("new")
    try FileManager.default.createDirectory(at: beside, withIntermediateDirectories: false)
    await #expect(throws: (any Error).self) {
      try await queue.enqueue(
        WorkoutHistoryEntry(id: "w1", performedAt: instant), privacy: PrivacySettings())
    }
    #expect(await queue.pending.map(\.workout.id) == ["w0"])
    // An entry that was sent in the meantime is sent again, and the report says that this may
    // happen.
    let phone = await Phone("ana")
    let report = await queue.processQueue(syncUseCase: phone.sync)
    #expect(report.finished.count == 1 && report.storageFailure != nil)
    try FileManager.default.removeItem(at: beside)
    try await queue.enqueue(
      WorkoutHistoryEntry(id: "w2", performedAt: instant), privacy: PrivacySettings())
    #expect(await queue.pending.map(\.workout.id) == ["w2"])
  }

  @Test func `damaged files and damaged content are never worse than unreadable`() async throws {
    var dice = Dice()
    try await fill(3)
    let file = try folder.queueFile()
    let whole = Array(try Data(contentsOf: file))
    let start = try #require(whole.firstIndex(of: UInt8(ascii: "\n"))) + 1
    var readable = 0
    for round in 0..<600 {
      var bytes = dice.damaged(whole)
      if round % 2 == 0 {
        // The damage is after the digest, so that the payload is tested as well.
        let payload = dice.damaged(Array(whole[start...]))
        let digest = SHA256Digest.hex(of: payload)
        bytes = Array("baton-pending-workouts 1 \(payload.count) \(digest)\n".utf8) + payload
      }
      try Data(bytes).write(to: file)
      let queue = try await read()
      #expect(queue.unreadable == nil || queue.pending == [], "\(dice)")
      if queue.unreadable == nil { readable += 1 }
      for change in queue.pending {
        #expect(1...256 ~= change.workout.id.utf8.count && change.workout.revision >= 0, "\(dice)")
      }
    }
    #expect(readable < 300)
  }
}
