import BatonJobs
import BatonPostgres
import Foundation

/// The table in which a job records its runs, in the job's transaction.
struct RandomRecord: Sendable {
  let transaction: Transaction
  let job: String

  func write<J: Job>(_ run: Run<J>, calls: [Int64], newest: Int64?) async throws
  where J.Key == String {
    try await transaction.run(
      .run(
        Statement(
          "test/record_work",
          """
          insert into worked (job, key, run_id, attempt, newest, calls, is_alone)
          values ($1, $2, $3, $4::bigint, $5, $6, is_alone($1, $2))
          """), job, run.key, run.id, Int64(run.attempt), newest, calls))
  }

  private static let countSnoozes = Statement(
    "test/count_snoozes", "select count(*) from failed_attempt where run_id = $1 and is_snooze")

  /// Returns the number of recorded snoozes of a run.
  func snoozes(of run: Int64) async throws -> Int64 {
    let count = Call.row(Self.countSnoozes, run) { (row) throws(PostgresError) in
      try row.decode(Int64.self)
    }
    return try await transaction.run(count)
  }

  /// Fails if another transaction processes the key, and records the conflict.
  func checkAlone(_ key: String) async throws {
    try await transaction.run(
      .run(
        Statement(
          "test/record_step",
          "insert into stepped (job, key, is_alone) values ($1, $2, is_alone($1, $2))"), job, key))
  }
}

/// The file in which effects record their starts, successes and ends, in place of another service.
struct RandomPost: Sendable {
  let file: String
  let job: String

  /// Returns the number of attempts of a run that began before the current attempt.
  func earlierAttempts(of run: Int64) -> Int64 {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    let begins = text.split(separator: "\n").filter { line in
      let parts = line.split(separator: " ")
      return parts.count > 5 && parts[0] == "begin" && parts[5] == "\(run)"
    }
    return Int64(begins.count) - 1
  }

  /// Appends a line with one write, so that lines of several processes do not mix.
  func append(
    _ word: String, _ id: Int64, _ key: String, calls: [Int64], newest: Int64?
  ) throws {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let at = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
    let list = calls.map(String.init).joined(separator: ",")
    let process = ProcessInfo.processInfo.processIdentifier
    let line =
      "\(word) \(at) \(process) \(job) \(key) \(id) \(newest.map(String.init) ?? "-") [\(list)]\n"
    let descriptor = open(file, O_WRONLY | O_APPEND | O_CREAT, 0o600)
    guard descriptor >= 0 else { throw RandomFailure() }
    defer { close(descriptor) }
    _ = line.withCString { write(descriptor, $0, strlen($0)) }
  }
}
