import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests a password change while a worker runs.
///
/// The worker continues without a restart.
@Suite(.timeLimit(.minutes(5)))
struct PasswordChangeTests {
  @Test func `a worker reads its password again for each connection`() async throws {
    try await TestSchema.with { test in
      try await withRole(password: "the-first-word") { role in
        let folder = try TemporaryFolder()
        let file = folder.path + "/password"
        try write("the-first-word", to: file)
        var gymrats = test.gymrats
        gymrats.environment["PGPASSWORD"] = ""
        gymrats.environment["BATON_PASSWORD_FILE"] = file
        gymrats.environment["DATABASE_URL"] =
          "postgresql://\(role)@127.0.0.1:\(try TestServer.loopbackPort)/\(test.name)"
        let people = People(test)
        try await people.join("u1", group: "g")
        let worker = try gymrats.start("worker")
        defer { worker.signal(SIGKILL) }
        func works(_ workout: String, sum: Int) async throws {
          #expect(try await people.record("u1", workout) == "accepted")
          try await eventually("\(workout); \(worker.errorsSoFar)") {
            try await people.published("u1") == sum
          }
        }
        try await works("w1", sum: 1)

        // First the file changes, then the role. Only a login between the two changes is refused
        // once, and is repeated.
        try write("the-second-word", to: file)
        try await change(role, to: "the-second-word", test)
        try await works("w2", sum: 2)
        let refusals = worker.errorsSoFar.ranges(of: "password authentication failed")
        #expect(refusals.count <= 3, "\(worker.errorsSoFar)")
        #expect(!worker.errorsSoFar.contains("not let in"), "\(worker.errorsSoFar)")

        // In the opposite order, a running worker waits for its password instead of ending with 77.
        try await change(role, to: "the-third-word", test)
        try await eventually("its complaint") {
          worker.errorsSoFar.contains("not let in by the server: ")
        }
        #expect(worker.isRunning)
        try write("the-third-word", to: file)
        try await works("w3", sum: 3)

        worker.signal(SIGTERM)
        let ended = try await worker.wait()
        #expect(ended.status == 0, "\(ended.errors)")
        for word in ["first", "second", "third"] { #expect(!ended.errors.contains("the-\(word)")) }
        // The log has one complaint, although each of the connections was refused repeatedly.
        let complaints = ended.errors.split(separator: "\n").filter { $0.contains("not let in") }
        #expect((1...2).contains(complaints.count), "\(ended.errors)")
      }
    }
  }

  /// Writes the password to another file and renames it, as recommended.
  private func write(_ word: String, to file: String) throws {
    try Data((word + "\n").utf8).write(to: URL(filePath: file + ".new"))
    try #require(chmod(file + ".new", 0o600) == 0)
    try #require(rename(file + ".new", file) == 0)
  }

  /// Changes a role's password and ends its connections.
  private func change(_ role: String, to word: String, _ test: TestSchema) async throws {
    try await test.sql("alter role \(role) password '\(word)'")
    let ended = try await test.sql(
      "select pg_terminate_backend(pid) from pg_stat_activity where usename = '\(role)'")
    #expect(ended.count > 1)
  }
}
