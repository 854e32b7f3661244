import ArgumentParser
import BatonJobs
import BatonPostgres
import JobRunner

/// `baton status`.
struct StatusCommand: AsyncParsableCommand, CheckedArguments {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "One look: what is well and what is not, for people and monitoring.",
    discussion: """
      Exit code 0: well; 1: a warning; 2: something critical; any other: it could not be looked. The first line \
      says it in one word. A threshold is WARNING:CRITICAL, WARNING alone, or off. Where the schema has roles it \
      looks as a dashboard, if the login may; what that does not see is said.
      """)

  @OptionGroup(title: "Thresholds") var thresholds: StatusThresholds

  @Flag(help: "One JSON object: state, findings, observation, gauges.")
  var json = false

  func checkArguments() throws {
    guard (0...10_000).contains(thresholds.workers) else {
      throw ValidationError("--workers takes a number from 0 to 10000.")
    }
  }

  func run() async throws {
    let database = try await Database.orExit().acting(as: "dashboard", isRequired: false)
    try await database.reportingErrors() {
      let connection = try await database.connect()
      let queue = Queue(Session(connection, in: database.schema))
      let observation = try await queue.observe()
      let gauges = try await queue.gauges()
      await connection.close()
      let findings = (observation.findings(by: thresholds) + gauges.findings).sorted
      if json {
        Console.write(
          try jsonLine(
            Report(
              state: findings.word.lowercased(), findings: findings, observation: observation,
              gauges: gauges)))
      } else {
        Console.write("\(Program.name) \(findings.word): \(observation.summary)")
        for finding in findings { Console.write(finding.text) }
      }
      try findings.end()
    }
  }

  private struct Report: Encodable {
    let state: String
    let findings: [Finding]
    let observation: Observation
    let gauges: [ProductGauge]?
  }
}

extension Observation {
  /// All of it in a line.
  fileprivate var summary: String {
    func sum(_ path: KeyPath<JobObservation, Count>) -> Count {
      let counts = jobs.map { $0[keyPath: path] }
      return Count(
        value: counts.reduce(0) { $0 + $1.value }, isEstimate: counts.contains(where: \.isEstimate))
    }
    let alive = workers.count { !$0.isLost }
    let oldest = jobs.compactMap(\.oldestUnfinishedWriteSeconds).max()
      .map { ", the oldest write \($0.duration) old" }
    let retrying = sum(\.retrying).value > 0 ? " (\(sum(\.retrying).text) being retried)" : ""
    return
      "\(counted(alive, "worker")); \(sum(\.ready).text(of: "run")) due, "
      + "\(sum(\.running).text) running, "
      + "\(sum(\.delayed).text) later\(retrying), "
      + "\(sum(\.dead).text) dead\(oldest ?? ""); "
      + "\(folding.events.text(of: "event")) to fold; "
      + "\(connections.used) of \(connections.allowed) connections"
  }
}
