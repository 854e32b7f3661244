import ArgumentParser
import Baton
import BatonJobs
import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesSQL
import CheckIns
import Foundation
import JobRunner
import PrivateServer
import Replay

/// The `gymrats demo` command, which starts a separate server, replays real check-ins and publishes
/// the ranks.
struct DemoCommand: AsyncParsableCommand, CheckedArguments {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Replay real check-ins, print the boards, and serve a page for phones.",
    discussion: """
      The command uses a private server in .baton/demo and ignores the database of the environment. The file is \
      BATON_CHECKINS, otherwise ../shared/data/checkins.csv.gz, otherwise the committed year 2024. The page for phones \
      and its API have a separate schema. On a terminal, the command continues until ^C: it records workouts, so that \
      the boards of the dashboard change, and serves the page. Otherwise two phones play one round over HTTP.
      """)

  @Option(help: "The number of weeks to replay, from the end of the file; 0 omits the replay.")
  var weeks = 6

  @Flag(
    inversion: .prefixedNo,
    help: "Serve the dashboard and the page until ^C, or play one round; default: as described.")
  var serve: Bool?

  @OptionGroup var log: LogOptions

  func checkArguments() throws {
    guard (0...520).contains(weeks) else {
      throw ValidationError("--weeks takes a number from 0 to 520.")
    }
  }

  func run() async throws {
    try await Complaint.reportingErrors {
      let file = try weeks > 0 ? CheckInFile.read(path: checkInPath()) : nil
      let address = try startServer()
      let serves = serve ?? (isatty(STDOUT_FILENO) == 1)
      if let file {
        let database = try await makeSchema(at: address)
        Console.write("replaying the last \(counted(weeks, "week")), with a worker process running")
        let dashboard = serves ? Dashboard.atFreePort() : nil
        let worker = try DemoWorker(database, http: dashboard?.address)
        defer { worker.stop() }
        try await show(file, in: database)
        try await playPhones(at: address, serves: serves, dashboard, writing: database)
      } else {
        try await playPhones(at: address, serves: serves, nil, writing: nil)
      }
      Console.write(
        "\nThe server keeps running: `gymrats demo` starts over, `rm -r .baton/demo` removes it.")
    }
  }

  /// Replays the file and prints the workers' activity and the boards.
  private func show(_ file: CheckInFile, in database: Database) async throws {
    try await replay(file, into: database)
    let connection = try await database.connect()
    let before = try await work(on: connection, in: database.schema)
    let live = try await LiveWrites.run(on: database)
    let after = try await work(on: connection, in: database.schema)
    try await showBoards(on: connection, in: database.schema)
    Console.write(
      """
      replay    \(counted(before.workouts, "workout")) became \
      \(counted(before.runs, "recomputed board")) \
      in \(counted(before.batches, "batch", "batches"))
      live      \(counted(live.writes, "workout")) became \
      \(counted(after.runs - before.runs, "recomputed board")); \
      commit to visible: median \(live.median) ms, 99 % within \(live.p99) ms
      """)
    await connection.close()
  }

  // MARK: Parts

  private func checkInPath() throws -> String {
    let (path, isCommitted) = try CheckInFile.found()
    Console.write(
      "check-ins: \(path)\(isCommitted ? " (skipped: the whole file is not here)" : "")")
    return path
  }

  /// Starts the demo's private PostgreSQL server, and returns its address.
  private func startServer() throws -> String {
    let folder = FileManager.default.currentDirectoryPath + "/.baton/demo"
    let running = try PrivateServer(directory: folder).up()
    Console.write("private PostgreSQL \(running.version) in .baton/demo")
    return running.connectionString
  }

  private func makeSchema(at address: String) async throws -> Database {
    guard let schema = Schema("demo") else { preconditionFailure("demo is a schema's name") }
    let database = Database(
      address: address, schema: schema,
      description: "the demo's server in .baton/demo")
    let connection = try await Connection.open(database.configuration())
    try await connection.script(SQL.Demo.dropSchema)
    _ = try await Migrator(schema, parts: Program.parts).migrate(connection)
    try await Queue(Session(connection, in: schema)).define(Program.jobs, of: Program.release)
    await connection.close()
    return database
  }

  /// Replays the last weeks of the file.
  ///
  /// The replay starts on a Monday, the given number of weeks before the file's last check-in.
  private func replay(_ file: CheckInFile, into database: Database) async throws {
    guard let last = file.checkIns.map(\.instant).max() else {
      throw ReplayFailure.nothingToReplay
    }
    let replay = try Replay(
      file, options: Replay.Options(from: monday(before: last)),
      jobs: Program.jobs,
      configuration: database.configuration(applicationName: "gymrats demo", isDurable: false),
      schema: database.schema, logger: log.logger)
    let bar = ProgressBar(of: "lines")
    _ = try await replay.run { done, all in bar.show(done, of: all) }
    bar.end()
  }

  private func monday(before instant: Int64) -> Day? {
    let week = Week(containing: instant / 1_000_000 - Int64(weeks - 1) * Week.length)
    let date = Date(timeIntervalSince1970: TimeInterval(week.start))
    return Day(date.formatted(.iso8601.year().month().day()))
  }

  private struct Work: Sendable {
    let workouts, runs, batches: Int64
  }

  private func work(on connection: Connection, in schema: Schema) async throws -> Work {
    // Workers write their activity counts once per second.
    try await Task.sleep(for: .milliseconds(1500))
    let count = Call.row(SQL.Demo.countWork) { (row) throws(PostgresError) in
      let (workouts, runs, batches) = try row.decode(Int64.self, Int64.self, Int64.self)
      return Work(workouts: workouts, runs: runs, batches: batches)
    }
    return try await connection.atomically(in: schema, count)
  }

  private func showBoards(on connection: Connection, in schema: Schema) async throws {
    let list = Call.rows(SQL.Demo.listLiveliestGroups, Int64(3)) { (row) throws(PostgresError) in
      try row.decode(String.self, String.self)
    }
    let boards = Boards(connection, schema: schema)
    let groups: [(String, String)] = try await connection.atomically(in: schema, list)
    Console.write(
      "\nThe liveliest boards of the newest week, with what moved since the week before:\n")
    for (group, week) in groups {
      Console.write(BoardPage(try await boards.standings(group: group, week: week, type: nil)).text)
    }
  }
}
