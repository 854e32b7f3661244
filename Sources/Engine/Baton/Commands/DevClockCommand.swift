import ArgumentParser
import BatonJobs
import BatonPostgres
import Foundation
import JobRunner

/// The `baton dev clock` command, which prints the development clock's time or moves the clock.
struct DevClockCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clock", abstract: "Print the development clock, or move it forward.",
    discussion: """
      The clock keeps running and never moves back. Runs and schedules whose time the move passes become due \
      immediately; each schedule handles missed occurrences as it is configured.
      """)

  @Argument(
    help:
      "A duration in d, h, m and s, such as +7d or +1h30m, or a time, such as 2026-12-24T18:00:00Z or 2026-12-24."
  )
  var move: String?

  func run() async throws {
    try await Complaint.reportingErrors {
      let target = try target()
      let database = try DevelopmentServer.database()
      try await database.reportingErrors() { try await show(target, database) }
    }
  }

  /// Moves the development clock if an argument specifies a time, and prints the clock's time.
  private func show(_ target: DevelopmentClock.Target?, _ database: Database) async throws {
    let connection = try await database.connect()
    let clock = DevelopmentClock(Session(connection, in: database.schema))
    if let target {
      let moved = try await clock.move(target, jobs: Program.jobs)
      Console.write(Self.text(of: moved.reading))
      for passed in moved.passed {
        Console.write("due: \(passed.schedule), first of \(Schedule.text(of: passed.at))")
      }
      if moved.runs > 0 {
        Console.write(
          "due: \(counted(moved.runs, "run")) that \(moved.runs == 1 ? "was" : "were") asked for later"
        )
      }
    } else {
      Console.write(Self.text(of: try await clock.read()))
    }
    await connection.close()
  }

  /// Returns the clock's time and its difference from the server's time.
  static func text(of reading: DevelopmentClock.Reading) -> String {
    let time = Schedule.text(of: reading.time.microseconds / 1_000_000)
    guard reading.ahead > 0 else { return "\(time), as the server's" }
    let span = Duration.seconds(reading.ahead / 1_000_000).formatted(
      .units(allowed: [.days, .hours, .minutes, .seconds], width: .narrow))
    return "\(time), \(span) later than the server's"
  }

  /// Returns the time to move the clock to, or nil if the command only prints the time.
  private func target() throws -> DevelopmentClock.Target? {
    guard let text = move else { return nil }
    if text.hasPrefix("+") {
      let span = try Duration(text: String(text.dropFirst()), place: "MOVE")
      return .further(span.components.seconds)
    }
    guard let instant = try? Date(instant: text, place: "MOVE") else {
      throw Complaint(
        .usage, what: "'\(text)' is neither a span nor an instant.", place: "MOVE",
        next: "Write +7d, +90m or +1h30s, or YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ, which are UTC.")
    }
    return .instant(Int64(instant.timeIntervalSince1970))
  }
}
