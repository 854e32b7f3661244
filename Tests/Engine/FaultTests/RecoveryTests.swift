import BatonPostgres
import Foundation
import TestSupport
import Testing

/// A server that is recovered in place to a point in time, as `docs/guides/backup.md` describes.
@Suite(.timeLimit(.minutes(10)), .enabled(if: TestSize.isFull, "pgBackRest: make test-all"))
struct RecoveryTests {
  @Test func `recovery in place needs no resync, and repeats only effects after the target`()
    async throws
  {
    try await RecoveryServer.with { server in
      try await TestSchema.with(.standard, at: server.address) { schema in
        try await schema.gymrats.succeed("migrate")
        try await schema.sql(
          "create table effect (key text, at timestamptz not null default clock_timestamp())")
        try await Recovery(server: server, schema: schema).run()
      }
    }
  }
}

/// The sequence of one recovery.
private struct Recovery {
  let server: RecoveryServer
  let schema: TestSchema
  private let random = Randomness()
  private let load: WorkoutLoad
  private let folder: TemporaryFolder

  init(server: RecoveryServer, schema: TestSchema) throws {
    self.server = server
    self.schema = schema
    load = WorkoutLoad(schema: schema, groups: 10)
    folder = try TemporaryFolder()
  }

  func run() async throws {
    try await load.join()
    let workers = [
      try schema.gymrats.start("worker"),
      try TestProcess(
        try BatonProgram.path(of: "CrashingWorker"), [],
        environment: BatonProgram.inherited.merging([
          "DATABASE_URL": server.address, "BATON_SCHEMA": schema.schema.name,
          "POST_BOX": folder.path + "/mails",
        ]) { $1 }, directory: "/"),
    ]
    defer { for worker in workers { worker.signal(SIGKILL) } }
    let kept = try await recordBesideBackup()
    let before = try await send("before")
    let start = Date()
    // This run has not ended at the target time, and ends after it.
    try await schema.gymrats.succeed("jobs", "pause", "mail")
    let waiting = try await schema.sql("select enqueue('mail', 'waiting')")[0]
    let target = try await schema.sql("select clock_timestamp()")[0].filter { $0 != "\"" }
    try await schema.gymrats.succeed("jobs", "resume", "mail")
    try await eventually("the waiting mail") { mails.contains("\(waiting) waiting") }
    let lost = try await send("lost")
    _ = try await record("lost", 30)

    try await server.run("recover", target)
    try await eventually("the end of the recovery") {
      (try? await schema.sql("select where not pg_is_in_recovery()"))?.count == 1
    }
    let recovered = Date()
    try await schema.sql(try Self.statement("-- ids:"))
    try await schema.gymrats.succeed("jobs", "resume", "mail")
    let new = try await send("new")
    #expect(new > lost && lost > before, "an id of a lost run is used again")
    try await eventually("the waiting mail again") {
      mails.filter { $0 == "\(waiting) waiting" }.count == 2
    }
    #expect(Set(mails).count == mails.count - 1, "\(mails)")
    try await schema.expectEnd(of: workers, after: recovered)
    try await schema.expectEachOccurrence(from: start, after: recovered)
    try await schema.expectNoResync()
    try await load.expectBoards(of: kept)
  }

  private var mails: [String] {
    let text = try? String(contentsOfFile: folder.path + "/mails", encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  /// Returns the block of the guide that begins with this comment.
  private static func statement(_ comment: String) throws -> String {
    let blocks = try Checkout.text("docs/guides/backup.md").components(separatedBy: "```")
      .filter { $0.hasPrefix("sql\n\(comment)") }
    try #require(blocks.count == 1, "docs/guides/backup.md: \(comment)")
    let lines = blocks[0].split(separator: "\n").dropFirst(2)
    return lines.joined(separator: "\n").filter { $0 != ";" }
  }

  // MARK: Before the recovery

  /// Records workouts while pgBackRest copies the files, and returns the number of workouts.
  private func recordBesideBackup() async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
      let isOver = Flag()
      defer { isOver.set() }
      group.addTask {
        try await load.record(writers: 2, random, pause: .milliseconds(20)) { isOver.isSet }
      }
      try await server.run("backup")
      try await Task.sleep(for: .seconds(2))
      isOver.set()
      return try await group.reduce(0, +)
    }
  }

  private func record(_ name: String, _ count: Int) async throws -> Int {
    for number in 1...count {
      let outcome = try await schema.sql(
        "select outcome::text from record_workout('u1-1', '\(name)-\(number)')")
      try #require(outcome == ["accepted"])
    }
    return count
  }

  /// Requests an effect, waits for it, and returns the id of its run.
  private func send(_ key: String) async throws -> Int64 {
    let id = try await schema.sql("select enqueue('mail', '\(key)')")[0]
    try await eventually("the mail \(key)") { mails.contains("\(id) \(key)") }
    return try #require(Int64(id))
  }
}

/// A server with an archive of its log, as `Tests/recovery-server` starts it.
private struct RecoveryServer {
  private let folder: TemporaryFolder

  var address: String { "host=\(folder.path) user=postgres dbname=postgres" }

  static func with(_ body: (RecoveryServer) async throws -> Void) async throws {
    let server = RecoveryServer(folder: try TemporaryFolder())
    let result: Result<Void, any Error>
    do {
      try await server.run("up")
      result = .success(try await body(server))
    } catch {
      result = .failure(error)
    }
    try? await server.run("down")
    try result.get()
  }

  func run(_ arguments: String...) async throws {
    let ended = try await TestProcess(
      Checkout.root.appending(path: "Tests/recovery-server").path(), [folder.path] + arguments,
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], directory: "/"
    ).wait()
    guard ended.status == 0 else {
      throw TestFailure("recovery-server \(arguments): \(ended.output)\(ended.errors)")
    }
  }
}
