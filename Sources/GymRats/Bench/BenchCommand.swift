import ArgumentParser
import Baton
import Bench
import Foundation
import JobRunner
import Postgres
import UnixSignals

/// `baton bench`.
struct BenchCommand: AsyncParsableCommand, CheckedArguments {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure Baton beside plain SQL on this database; ratios, not seconds.",
    discussion: """
      Works in the schemas `raw` and `baton_bench`, which must not exist, and drops them. The \
      database's own Baton must hold no group, user, workout, event or run. Without CASE: all of \
      drain, rerank, write-spread, write-hot, visible, visible-hot, drain-long-transaction, close, \
      retention. \
      docs/performance.md says what each measures.
      """)

  @Argument(help: "Which cases; without any: all.")
  var cases: [String] = []

  @Flag(help: "One JSON object for each case.")
  var json = false

  @Option(help: "Connections of each side; without it as the case says.")
  var connections: Int?

  @Option(help: "How often each side is measured.")
  var pairs: Int?

  @Option(help: "Runs of drain; drain-long-transaction takes 500000 or more.")
  var runs: Int?

  @Option(help: "Boards of rerank.")
  var boards: Int?

  @Option(help: "Groups of close, in whole thousands.")
  var groups: Int?

  @Option(help: "Notices of retention.")
  var notices: Int?

  @Option(help: "Boards of retention.")
  var challenges: Int?

  @Option(help: "Seconds of each side of write-* and visible.")
  var seconds: Int?

  @Flag(help: "Small sizes and one pair: shows that it works, the figures mean nothing.")
  var quick = false

  @Flag(help: "Show the statements, round trips, rows and bytes of one claim and its work.")
  var trace = false

  func checkArguments() throws {
    for (name, value, most) in [
      ("--connections", connections, 100), ("--pairs", pairs, 1_000),
      ("--runs", runs, 10_000_000), ("--boards", boards, 1_000_000), ("--seconds", seconds, 3_600),
      ("--groups", groups, 1_000_000), ("--notices", notices, 10_000_000),
      ("--challenges", challenges, 1_000_000),
    ] {
      if let value, !(1...most).contains(value) {
        throw ValidationError("\(name) takes a number from 1 to \(most).")
      }
    }
  }

  func run() async throws {
    let database = try Database.orExit()
    try await complaining(about: database) {
      let chosen = try Bench.cases(named: cases)
      let options = options
      let bench = Bench(
        database.configuration(applicationName: "baton bench"), beside: database.schema,
        jobs: Program.jobs, options: options)
      let settings = try await bench.settings()
      if !json {
        announce(chosen, options, settings.map { "\($0.name) \($0.value)" }, database)
      }
      let (trace, json) = (trace, json)
      try await untilSignal {
        if trace {
          show(try await bench.trace())
        } else {
          try await bench.run(chosen) { print(json ? $0.jsonLine : $0.tableLine) }
        }
      }
    }
  }

  private var options: BenchOptions {
    var options = quick ? BenchOptions.quick : BenchOptions()
    options.connections = connections
    options.pairs = pairs ?? options.pairs
    options.longPairs = pairs ?? options.longPairs
    options.groups = groups ?? options.groups
    options.notices = notices ?? options.notices
    options.challenges = challenges ?? options.challenges
    options.runs = runs ?? options.runs
    options.boards = boards ?? options.boards
    options.seconds = seconds ?? options.seconds
    return options
  }

  private func announce(
    _ cases: [any BenchCase], _ options: BenchOptions, _ settings: [String], _ database: Database
  ) {
    print("on \(database), in the schemas raw and baton_bench, which are dropped afterwards:")
    for bench in cases { print("  \(bench.name) writes \(bench.writes(options))") }
    print(settings.joined(separator: ", "))
    if !trace { print("\n" + BenchResult.tableHeader) }
  }

  private func show(_ calls: [TracedCall]) {
    print("round trip  statement                      rows   bytes out    bytes in")
    for call in calls {
      print(
        String(
          format: "%10d  %@ %6d  %10d  %10d", call.roundTrip,
          call.statement.padding(toLength: 28, withPad: " ", startingAt: 0), call.rows,
          call.bytesSent, call.bytesReceived))
    }
  }

  /// Runs `body`; SIGINT and SIGTERM cancel it, and what it made is dropped first.
  private func untilSignal(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let wasStopped = try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await body()
        return false
      }
      group.addTask {
        for await _ in signals { return true }
        return true
      }
      let first = try await group.next() ?? true
      group.cancelAll()
      // Whatever it ends with after a signal is the signal's doing, but what it could not drop.
      do { while try await group.next() != nil {} } catch  where first {}
      return first
    }
    guard wasStopped else { return }
    throw Complaint(
      .tryAgain, what: "The bench was stopped.", place: "a signal",
      next: "Its schemas are dropped; run it again for figures.")
  }
}
