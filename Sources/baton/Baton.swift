import ArgumentParser

/// Cloud functions over PostgreSQL: the command line.
@main
struct Baton: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baton",
    abstract: "Cloud functions over PostgreSQL, and the GymRats challenges that run on them.",
    discussion: """
      The database is DATABASE_URL, else libpq's own environment (PGHOST, PGSERVICE, ...), else \
      the private server of `baton db up`. The schema is BATON_SCHEMA, else `baton`.

      Exit codes: 0 done, 1 dead runs, 64 wrong usage, 65 wrong data, 66 no such file or group, \
      69 the server cannot be reached, 70 a fault, 75 try again, 77 not allowed in, 78 the schema \
      or the server does not fit this binary.
      """,
    version: "0.1.0",
    subcommands: [
      DatabaseCommand.self, MigrateCommand.self, WorkerCommand.self, BoardCommand.self,
      ReplayCommand.self, JobsCommand.self, RunCommand.self, EnqueueCommand.self, RunsCommand.self,
      ScheduleCommand.self, WeekCommand.self, NotificationsCommand.self, CheckCommand.self,
      DemoCommand.self, BenchCommand.self,
    ])

  /// Runs the command that the arguments name; every error has three parts.
  static func main() async {
    do {
      try RawText.check()
      let command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        var command = command
        try command.run()
      }
    } catch let complaint as Complaint {
      complaint.exit()
    } catch {
      Complaint(arguments: error)?.exit()
      // Help, the version, or an exit code whose complaint is printed.
      exit(withError: error)
    }
  }
}

extension Complaint {
  /// What the parser has against the arguments; nil for anything else.
  fileprivate init?(arguments error: any Error) {
    guard !(error is ExitCode), Baton.exitCode(for: error) == .validationFailure else { return nil }
    let hint = Baton.fullMessage(for: error).split(separator: "\n").last { $0.contains("See '") }
    self.init(
      .usage, what: Baton.message(for: error), place: "the arguments",
      next: hint.map { $0.drop(while: \.isWhitespace) + "" } ?? "See 'baton --help'.")
  }
}
