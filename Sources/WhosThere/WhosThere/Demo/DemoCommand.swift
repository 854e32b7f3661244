import ArgumentParser
import Baton
import BatonJobs
import BatonPostgres
import CheckIns
import Foundation
import JobRunner
import Presence
import PresencePostgres
import PresenceSQL
import PrivateServer

/// The `whosthere demo` command, which starts a separate server and replays real check-ins as
/// arrivals.
struct DemoCommand: AsyncParsableCommand, CheckedArguments {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Replay real arrivals, and print who is present.",
    discussion: """
      The command uses a private server in .baton/whosthere-demo and ignores the database of the environment. The file is \
      BATON_CHECKINS, otherwise ../shared/data/checkins.csv.gz, otherwise the committed year 2024. Arrivals are the \
      file's check-ins. Places, durations and departures are derived from the line number.
      """)

  @Option(help: "The number of days to replay, from the end of the file.")
  var days = 21

  @OptionGroup var log: LogOptions

  func checkArguments() throws {
    guard (1...3_660).contains(days) else {
      throw ValidationError("--days takes a number from 1 to 3660.")
    }
  }

  func run() async throws {
    try await Complaint.reportingErrors {
      let (path, isCommitted) = try CheckInFile.found()
      Console.write(
        "check-ins: \(path)\(isCommitted ? " (skipped: the whole file is not here)" : "")")
      guard let replay = DemoReplay(try CheckInFile.read(path: path), days: days) else {
        throw Complaint(
          .data, what: "The file has no check-in.", place: path,
          next: "Set BATON_CHECKINS to another file.")
      }
      let database = try await startServer()
      try await database.reportingErrors() { try await play(replay, in: database) }
    }
  }

  // MARK: Parts

  private func startServer() async throws -> Database {
    let folder = FileManager.default.currentDirectoryPath + "/.baton/whosthere-demo"
    let running = try PrivateServer(directory: folder).up()
    Console.write("private PostgreSQL \(running.version) in .baton/whosthere-demo")
    guard let schema = Schema("demo") else { preconditionFailure("demo is a schema's name") }
    let database = Database(
      address: running.connectionString, schema: schema,
      description: "the demo's server in .baton/whosthere-demo")
    let connection = try await Connection.open(database.configuration())
    try await connection.script(SQL.Demo.dropSchema)
    _ = try await Migrator(schema, parts: Program.parts).migrate(connection)
    await connection.close()
    return database
  }

  private func play(_ replay: DemoReplay, in database: Database) async throws {
    let counts = replay.counts
    Console.write(
      """
      \(counted(counts.people, "person", "people")) of \(counted(counts.groups, "group")) \
      \(counts.people == 1 ? "arrives" : "arrive") as they did in \(counted(days, "day")); \
      places, stays and departures are made up by a rule
      """)
    let connection = try await database.connect()
    let session = Session(connection, in: database.schema)
    let clock = SteppedClock(session)
    let start = Timestamp(at: replay.begin.addingTimeInterval(-60))
    try await clock.begin(at: start)
    try await Queue(session).define(Program.jobs, of: Program.release)
    _ = try await TableTriggers(database.schema, of: WhosThere.name, jobs: Program.jobs)
      .migrate(connection)
    try await replay.found(on: session)
    let configuration = database.configuration(
      applicationName: "whosthere demo", isDurable: false)
    let drainer = try await Drainer(
      Program.jobs, on: configuration, schema: database.schema, logger: log.logger)
    let phones = PresenceDatabase(configuration, schema: database.schema)
    let bar = ProgressBar(of: "commands")
    let outcomes = try await replay.run(
      as: phones, moving: clock, from: start,
      drain: {
        guard try await drainer.drain() == 0 else {
          throw Complaint(
            .fault, what: "A run is dead.", place: "the demo's queue",
            next: "Report it with this output.")
        }
      }, progress: { done, all in bar.show(done, of: all) })
    bar.end()
    await phones.close()
    try await drainer.close()
    Console.write(outcomes.text)
    try await DemoScreen(session).show()
    await connection.close()
    Console.write(
      "\nThe server keeps running: `whosthere demo` starts over, `rm -r .baton/whosthere-demo` removes it."
    )
  }
}

extension DemoReplay.Outcomes {
  /// The number of commands with each outcome, as text.
  fileprivate var text: String {
    let came = arrivals.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", ")
    return """
      arrivals  \(came)
      ends      \(departures) check-outs, the others by their deadlines
      """
  }
}
