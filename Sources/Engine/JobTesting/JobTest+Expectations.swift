public import BatonJobs
import BatonPostgres
import JobRunner

extension JobTest {
  /// Checks that a run of a job is enqueued, and returns the run's payload.
  ///
  /// The method also finds a run whose event has not been dispatched yet, but not a run that has
  /// ended or died.
  ///
  /// ```swift
  /// let letter = try await test.expectEnqueued(SendLetter.self, key: 7)
  /// #expect(letter.to == "Ann")
  /// ```
  /// - Parameters:
  ///   - type: the job.
  ///   - key: the run's key, or nil for the newest run with any key.
  ///   - file: the file of the call, for the error.
  ///   - line: the line of the call, for the error.
  /// - Throws: if no matching run is enqueued, an error that lists up to 20 of the events and runs.
  ///   The method also throws if the payload cannot be decoded, or if a statement fails.
  @discardableResult
  public func expectEnqueued<J: Job>(
    _ type: J.Type, key: J.Key? = nil, file: String = #fileID, line: Int = #line
  ) async throws -> J {
    let find = Call.rows(Self.findEnqueued, J.name, key?.description) {
      (row) throws(PostgresError) in try row.decode(String?.self)
    }
    let found: [String?] = try await kept.with { (connection) throws(PostgresError) in
      try await connection.atomically(in: schema, find)
    }
    guard let payload = found.first else {
      let wanted = "a run of \(J.name)" + (key.map { " with the key '\($0)'" } ?? "")
      throw FailedExpectation(
        "\(wanted) is not enqueued", present: try await present(), file: file, line: line)
    }
    return try Run<J>.payload(payload)
  }

  /// Checks that no events are undispatched, and that no runs are waiting, running or dead.
  ///
  /// A run that is not due yet also counts as waiting.
  ///
  /// - Parameters:
  ///   - file: the file of the call, for the error.
  ///   - line: the line of the call, for the error.
  /// - Throws: if an event or a run is left, an error that lists up to 20 of the events and runs,
  ///   or `PostgresError`.
  public func expectNothingLeft(file: String = #fileID, line: Int = #line) async throws {
    let present = try await present()
    guard present.isEmpty else {
      throw FailedExpectation("the queue is not empty", present: present, file: file, line: line)
    }
  }

  /// Finds the payload of the newest event or run.
  ///
  /// The parameters are the job and the key, or null for any key.
  private static let findEnqueued = Statement(
    "test/find_enqueued",
    """
    select payload::text from (
      select e.key, e.payload, e.id as event, null::bigint as run
      from unfolded_event e
      join job j on j.name = $1 and (e.topic = 'enqueue/' || j.name or e.topic = any (j.topics))
      union all
      select key, payload, null, id from run where job = $1
    ) enqueued
    where $2::text is null or key = $2
    order by event desc nulls last, run desc
    limit 1
    """)

  /// Returns a line for each event and run, oldest first.
  private func present() async throws -> [String] {
    let events = try await events().map { event in
      // A topic contains no space, so the key begins after the first space.
      let parts = event.split(separator: " ", maxSplits: 1)
      return "event \(parts[0]), key '\(parts[1])'"
    }
    return events
      + (try await runs().reversed().map { run in
        "run \(run.id) of \(run.job), key '\(run.key)': \(run.state) after "
          + "\(counted(Int(run.attempt), "attempt")), at \(run.at)"
          + (run.error.map { ", error: \($0)" } ?? "")
      })
  }
}

/// The error for a test expectation that was not met.
///
/// The error lists the queue's content.
struct FailedExpectation: Error, CustomStringConvertible {
  let description: String

  /// The maximum number of listed events and runs.
  private static let mostLines = 20

  init(description: String) { self.description = description }

  /// Creates the error for a drain that stopped because of an endless run.
  init(_ run: EndlessRun) {
    description = """
      The run \(run.id) of the job \(run.job) with the key '\(run.key)' has not ended after \
      \(run.attempts) attempts in this drain. The last attempt: \(run.reason). Let the run end: \
      change what the job waits for, or move the clock with setClock(to:). If the run needs more \
      attempts, call drain(mostAttempts:).
      """
  }

  /// Creates the error for an expectation that was not met.
  ///
  /// - Parameter present: the events and runs in the queue.
  init(_ problem: String, present: [String], file: String, line: Int) {
    var lines = present.prefix(Self.mostLines).map { "  \($0)" }
    if present.count > lines.count { lines.append("  and \(present.count - lines.count) more") }
    let contents =
      lines.isEmpty
      ? "The queue contains no events and no runs."
      : "The queue contains:\n\(lines.joined(separator: "\n"))"
    description = "\(file):\(line): \(problem). \(contents)"
  }
}
