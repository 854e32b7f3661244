import ArgumentParser
import BatonJobs
import BatonPostgres
import JobRunner

/// The `baton status` command, which checks the queue against thresholds.
struct StatusCommand: AsyncParsableCommand, CheckedArguments {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Print the state of the queue and its problems, for people and monitoring.",
    discussion: """
      Exit codes: 0 OK, 1 a warning, 2 a critical finding, any other: the check itself failed. A threshold is \
      WARNING:CRITICAL, WARNING alone, or off. If the schema has roles, the command uses the dashboard's role if the \
      login is a member of it, and lists what that role may not see.
      """)

  @OptionGroup(title: "Thresholds") var thresholds: StatusThresholds

  @Flag(help: "Print one JSON object: state, findings, observation, gauges.")
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
  /// The number of running workers per release, or an empty string if no program has a release.
  fileprivate var releases: String {
    let releases = workers.filter { !$0.isLost }.compactMap(\.release)
    guard releases.contains(where: { $0 > 0 }) else { return "" }
    let counts = Dictionary(grouping: releases) { $0 }.sorted { $0.key < $1.key }
    return " (\(counts.map { "\($0.value.count) of release \($0.key)" }.joined(separator: ", ")))"
  }

  /// The whole observation as one line of text.
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
      "\(counted(alive, "worker"))\(releases); \(sum(\.ready).text(of: "run")) due, "
      + "\(sum(\.running).text) running, "
      + "\(sum(\.delayed).text) later\(retrying), "
      + "\(sum(\.dead).text) dead\(oldest ?? ""); "
      + "event backlog \(folding.events.text); "
      + "\(connections.used) of \(connections.allowed) connections"
  }
}
