import ArgumentParser
import BatonPostgres
import Bench
import Foundation
import JobRunner

/// The `baton bench` command, which runs benchmarks.
struct BenchCommand: AsyncParsableCommand, CheckedArguments {
  static var configuration: CommandConfiguration {
    let sizes = all.flatMap(\.sizes).reduce(into: [BenchSize]()) { sizes, size in
      if !sizes.contains(where: { $0.name == size.name }) { sizes.append(size) }
    }
    return CommandConfiguration(
      commandName: "bench",
      abstract: "Compare Baton with plain SQL on this database; prints ratios.",
      discussion: """
        The command creates the schemas `raw` and `baton_bench`, which must not exist, and drops them at the end. The \
        program's own schema must be empty. Without CASE, the command runs all of \
        \(all.map(\.name).joined(separator: ", ")).

        Sizes: \(sizes.map { "\($0.name) (\($0.standard)): \($0.meaning)" }.joined(separator: "; ")).
        """)
  }

  private static var all: [any BenchCase] {
    Bench.cases + ((Program.application as? any BenchedApplication.Type)?.benchCases ?? [])
  }

  @Argument(help: "The cases to run; default: all cases.")
  var cases: [String] = []

  @Flag(help: "Print one JSON object per case.")
  var json = false

  @Option(help: "The number of connections of each side; default: the number of the case.")
  var connections: Int?

  @Option(help: "The number of measurements of each side.")
  var pairs: Int?

  @Option(
    name: .customLong("size"), help: "A size of the data, as NAME=NUMBER; may be repeated.")
  var sizes: [String] = []

  @Option(help: "The seconds per side, in cases that write for a fixed time.")
  var seconds: Int?

  @Flag(help: "Use small sizes and one pair, for a smoke test instead of a measurement.")
  var quick = false

  @Flag(help: "Print the statements, round trips, rows and bytes of one claim and its work.")
  var trace = false

  func checkArguments() throws {
    for (name, value, most) in [
      ("--connections", connections, 100), ("--pairs", pairs, 1_000), ("--seconds", seconds, 3_600),
    ] {
      if let value, !(1...most).contains(value) {
        throw ValidationError("\(name) takes a number from 1 to \(most).")
      }
    }
    for size in sizes where parsed(size) == nil {
      throw ValidationError("--size takes NAME=NUMBER, from 1 to 10000000; not '\(size)'.")
    }
  }

  private func parsed(_ size: String) -> (name: String, value: Int)? {
    let parts = size.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let value = Int(parts[1]), (1...10_000_000).contains(value) else {
      return nil
    }
    return (String(parts[0]), value)
  }

  func run() async throws {
    let database = try await Database.orExit()
    try await database.reportingErrors() {
      let chosen = try Bench.cases(named: cases, of: Self.all)
      let options = try options(for: chosen)
      let bench = Bench(
        database.configuration(applicationName: "\(Program.name) bench"), beside: database.schema,
        parts: Program.parts, jobs: Program.jobs, dataCheck: Program.application.dataCheck,
        options: options)
      let settings = try await bench.settings()
      if !json {
        announce(chosen, options, settings.map { "\($0.name) \($0.value)" }, database)
      }
      let (trace, json) = (trace, json)
      let (end, wasStopped) = await untilSignal {
        if trace {
          show(try await bench.trace())
        } else {
          try await bench.run(chosen) { Console.write(json ? $0.jsonLine : $0.tableLine) }
        }
      }
      // If a signal stopped the benchmark, the benchmark's error is ignored.
      guard wasStopped else { return try end.get() }
      throw Complaint(
        .tryAgain, what: "The bench was stopped.", place: "a signal",
        next: "The schemas of the bench were dropped. To get figures, run the command again.")
    }
  }

  private func options(for cases: [any BenchCase]) throws -> BenchOptions {
    var options = BenchOptions(isQuick: quick)
    options.connections = connections
    options.pairs = pairs ?? options.pairs
    options.longPairs = pairs ?? options.longPairs
    options.seconds = seconds ?? options.seconds
    let known = cases.flatMap(\.sizes).map(\.name)
    for (name, value) in sizes.compactMap(parsed) {
      guard known.contains(name) else { throw BenchRefusal.unknownSize(name, known: known) }
      options.sizes[name] = value
    }
    return options
  }

  private func announce(
    _ cases: [any BenchCase], _ options: BenchOptions, _ settings: [String], _ database: Database
  ) {
    Console.write(
      "on \(database), in the schemas raw and baton_bench, which are dropped afterwards:")
    for bench in cases { Console.write("  \(bench.name) writes \(bench.writes(options))") }
    Console.write(settings.joined(separator: ", "))
    if !trace { Console.write("\n" + BenchResult.tableHeader) }
  }

  private func show(_ calls: [TracedCall]) {
    Console.write("round trip  statement                      rows   bytes out    bytes in")
    for call in calls {
      Console.write(
        String(
          format: "%10d  %@ %6d  %10d  %10d", call.roundTrip,
          call.statement.padding(toLength: 28, withPad: " ", startingAt: 0), call.rows,
          call.bytesSent, call.bytesReceived))
    }
  }
}
