import BatonJobs
import BatonPostgres
import Foundation
import JobRunner
import PrivateServer
import Synchronization
import TestSupport
import Testing

/// Effects whose process is killed, and whose server is stopped.
@Suite(.timeLimit(.minutes(5)))
struct EffectFaultTests {
  @Test(.sampled())
  func `a run whose process is killed while it is performed comes back with its id`()
    async throws
  {
    try await TestSchema.with { schema in
      let folder = try TemporaryFolder()
      let first = try await started(schema, folder)
      // The worker defines the jobs.
      try await eventually("the jobs") { try await schema.sql("select name from job").count == 3 }
      let id = try await schema.sql("select enqueue('post', 'letter')")[0]
      try await eventually("the effect") { posted(folder) == ["\(id) letter 1"] }
      let left = try await schema.sql("select state, attempt from run")
      #expect(left == ["running,1"])
      first.signal(SIGKILL)
      _ = try await first.wait(within: .seconds(10))
      _ = FileManager.default.createFile(atPath: folder.path + "/open", contents: nil)
      let second = try await started(schema, folder)
      // The worker's heartbeat must be eighteen seconds old.
      try await eventually("the second attempt", within: .seconds(40)) {
        posted(folder) == ["\(id) letter 1", "\(id) letter 2"]
      }
      try await eventually("its end") { try await schema.sql("select id from run") == [] }
      second.signal(SIGKILL)
      _ = try await second.wait(within: .seconds(10))
    }
  }

  @Test(.sampled()) func `a stored step of a killed process is not performed again`() async throws {
    try await TestSchema.with { schema in
      let folder = try TemporaryFolder()
      let first = try await started(schema, folder)
      try await eventually("the jobs") { try await schema.sql("select name from job").count == 3 }
      let id = try await schema.sql("select enqueue('step-post', 'letter')")[0]
      try await eventually("the second step") {
        posted(folder) == ["\(id)/stamp", "\(id)/send"]
      }
      #expect(try await schema.sql("select run_id, name from run_step") == ["\(id),stamp"])
      first.signal(SIGKILL)
      _ = try await first.wait(within: .seconds(10))
      // The next call waits until this run has ended.
      let next = try await schema.sql("select enqueue('step-post', 'letter')")[0]
      try await schema.sql(
        "update worker set heartbeat_at = pg_catalog.now() - interval '1 minute'")
      _ = FileManager.default.createFile(atPath: folder.path + "/open", contents: nil)
      let second = try await started(schema, folder)
      // The second step was in progress, so it is performed again with the same key.
      let keys = ["stamp", "send", "send"].map { "\(id)/\($0)" }
      try await eventually("both runs") {
        posted(folder) == keys + ["\(next)/stamp", "\(next)/send"]
      }
      try await eventually("their end") { try await schema.sql("select id from run") == [] }
      #expect(try await schema.sql("select name from run_step") == [])
      second.signal(SIGKILL)
      _ = try await second.wait(within: .seconds(10))
    }
  }

  @Test(.sampled()) func `a run that waits when its process is killed continues after the event`()
    async throws
  {
    try await TestSchema.with { schema in
      let folder = try TemporaryFolder()
      _ = FileManager.default.createFile(atPath: folder.path + "/open", contents: nil)
      let first = try await started(schema, folder)
      try await eventually("the jobs") { try await schema.sql("select name from job").count == 3 }
      let id = try await schema.sql("select enqueue('step-post', 'wait-1')")[0]
      try await eventually("the wait") {
        try await schema.sql("select attempt from event_wait") == ["0"]
      }
      first.signal(SIGKILL)
      _ = try await first.wait(within: .seconds(10))
      // The event is sent while no worker runs.
      try await schema.sql("select 1 from send_event('stamped', 'wait-1')")
      let second = try await started(schema, folder)
      try await eventually("the end") { try await schema.sql("select id from run") == [] }
      #expect(posted(folder) == ["\(id)/stamp", "\(id)/send"])
      // With a running worker, the next run needs only the event.
      let next = try await schema.sql("select enqueue('step-post', 'wait-2')")[0]
      try await eventually("the next wait") {
        try await schema.sql("select attempt from event_wait") == ["0"]
      }
      try await schema.sql("select 1 from send_event('stamped', 'wait-2')")
      try await eventually("the next end") { try await schema.sql("select id from run") == [] }
      #expect(posted(folder).suffix(2) == ["\(next)/stamp", "\(next)/send"])
      #expect(try await schema.sql("select run_id from event_wait") == [])
      second.signal(SIGKILL)
      _ = try await second.wait(within: .seconds(10))
    }
  }

  @Test(.sampled()) func `a restart of the server under two hundred effects repeats none`()
    async throws
  {
    try await ServerFaultTests.withServer { server, queue in
      let letters = Letters()
      var own = queue
      own.job = RegisteredJob(LetterJob.self) { _ in letters }
      try await own.look { try await $0.define([own.job]) }
      try await own.sql("select enqueue('letter', n::text) from generate_series(1, 200) n")
      // After 13 s without a heartbeat, the worker cancels its effects, and repeats them. The
      // restart of a server takes that long only on a busy machine.
      var isLong = false
      try await own.working(on: own.configuration) {
        try await eventually("two hundred effects") { letters.count == 200 }
        for isCrash in [false, true] {
          let began = ContinuousClock.now
          if isCrash {
            let pid = try await own.sql("select pid from worker limit 1").first ?? ""
            try #require(kill(try #require(Int32(pid)), SIGKILL) == 0)
          } else {
            try await blocking { try server.down() }
            try await Task.sleep(for: .seconds(2))
            _ = try await blocking { try server.up() }
          }
          try await eventually("the worker is back") {
            (try? await own.sql("select id from worker where heartbeat_at > now() - interval '1 s'"))?
              .isEmpty == false
          }
          isLong = isLong || began.duration(to: .now) > .seconds(10)
          try await Task.sleep(for: .seconds(1))
          #expect(letters.count == 200 || isLong, "an effect was performed twice")
        }
        letters.open()
        try await eventually("the end of all") {
          (try? await own.sql("select count(*) from run")) == ["0"]
        }
      }
      #expect(letters.count == 200 || isLong)
      #expect(try await own.count("dead_run") == 0)
    }
  }

  // MARK: Parts

  private func started(_ schema: TestSchema, _ folder: TemporaryFolder) async throws -> TestProcess
  {
    try TestProcess(
      try BatonProgram.path(of: "CrashingWorker"), [],
      environment: BatonProgram.inherited.merging([
        "DATABASE_URL": schema.configuration.address, "BATON_SCHEMA": schema.schema.name,
        "POST_OFFICE": folder.path,
      ]) { $1 }, directory: "/")
  }

  private func posted(_ folder: TemporaryFolder) -> [String] {
    let text = try? String(contentsOfFile: folder.path + "/posted", encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }
}

/// An effect that runs until the test lets it end.
private struct LetterJob: EffectJob {
  static let definition = Definition<Self>("letter", concurrency: 200, timeout: .seconds(120))

  static func perform(_ run: Run<Self>, in letters: Letters) async throws {
    letters.send()
    while !letters.isOpen { try await Task.sleep(for: .milliseconds(20)) }
  }
}

/// Counts how often each letter was sent.
private final class Letters: Sendable {
  private let state = Mutex((sent: 0, isOpen: false))

  var count: Int { state.withLock { $0.sent } }
  var isOpen: Bool { state.withLock { $0.isOpen } }

  func send() { state.withLock { $0.sent += 1 } }
  func open() { state.withLock { $0.isOpen = true } }
}
