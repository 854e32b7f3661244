import ArgumentParser

/// The command line of the application that this process is.
struct RootCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Program.name,
      abstract: Program.application.abstract,
      discussion: """
        The database is DATABASE_URL, else libpq's own environment (PGHOST, PGSERVICE, ...), else \
        the private server of `\(Program.name) db up`. The schema is BATON_SCHEMA, else \
        \(Program.isEngine ? "the only one of Baton in the database" : "`\(Program.defaultSchema)`"). The file that --config or BATON_CONFIG names may say these and \
        more; the environment goes over it, and arguments over both.

        Exit codes: 0 done, 1 dead runs, a broken audit or a warning, 2 something critical, 64 wrong usage, 65 wrong data, 66 what was named is not \
        there, 69 the server cannot be reached, 70 a fault, 74 the output cannot be written, 75 try \
        again, 77 not allowed in, 78 the schema or the server does not fit this binary.
        """,
      version: Program.application.version,
      subcommands: Program.isEngine
        ? operators + CodeCommands.all
        : [
          InitCommand.self, DevCommand.self, DatabaseCommand.self, MigrateCommand.self,
          RolesCommand.self,
          WorkerCommand.self, ServeCommand.self, JobsCommand.self, RunCommand.self,
          EnqueueCommand.self, RunsCommand.self, ScheduleCommand.self, StatusCommand.self,
          DoctorCommand.self, TopCommand.self, AuditCommand.self, CheckCommand.self,
          BenchCommand.self,
        ] + Program.application.commands)
  }

  /// The commands that need no code of jobs.
  private static let operators: [any ParsableCommand.Type] = [
    InitCommand.self, DatabaseCommand.self, RolesCommand.self, ServeCommand.self,
    JobsCommand.self, EnqueueCommand.self, RunsCommand.self, ScheduleCommand.self,
    StatusCommand.self, DoctorCommand.self, TopCommand.self, AuditCommand.self, CheckCommand.self,
  ]

  /// For help and completion alone: it is taken out of the arguments before they are parsed.
  @Option(
    help: ArgumentHelp(
      "A file of settings, as docs/reference/configuration.md has them; before or behind the command.",
      valueName: "file"))
  var config: String?

  /// Runs the command that the arguments name, and ends the process; every error has three parts.
  static func run() async -> Never {
    Console.prepare()
    StopSignals.letQuitEnd()
    do {
      try RawText.check()
      try SecretArguments.check(CommandLine.arguments)
      let arguments = try Settings.begin(Array(CommandLine.arguments.dropFirst()))
      let command = try parseAsRoot(arguments)
      try check(command)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        var command = command
        try command.run()
      }
      try Console.finish()
      ProcessEnd.end(ExitCode.success.rawValue)
    } catch let complaint as Complaint {
      complaint.exit()
    } catch let reported as ReportedError {
      // It says more than that what was printed before is lost.
      try? Console.finish()
      ProcessEnd.end(reported.status.rawValue)
    } catch {
      Complaint(arguments: error)?.exit()
      end(with: error)
    }
  }

  private static func check(_ command: any ParsableCommand) throws {
    guard let checked = command as? any CheckedArguments else { return }
    do {
      try checked.checkArguments()
    } catch let error as ValidationError {
      let path = path(to: type(of: command), in: self) ?? []
      throw Complaint(
        .usage, what: error.message, place: "the arguments",
        next: "See '\(Program.name) \(path.joined(separator: " ")) --help' for more information.")
    }
  }

  /// The names of the commands that lead to one of them.
  private static func path(
    to wanted: any ParsableCommand.Type, in command: any ParsableCommand.Type
  ) -> [String]? {
    guard command != wanted else { return [] }
    for next in command.configuration.subcommands {
      if let rest = path(to: wanted, in: next) {
        return [next.configuration.commandName ?? "\(next)".lowercased()] + rest
      }
    }
    return nil
  }

  /// Prints help or the version, or ends with the code that is a command's answer, or with a fault.
  private static func end(with reason: any Error) -> Never {
    let isGood = exitCode(for: reason) == .success
    let text = fullMessage(for: reason)
    if isGood, !text.isEmpty { Console.write(text) }
    do throws(Complaint) {
      try Console.finish()
    } catch {
      // A code alone says nothing of what was printed with it; a fault says more than that.
      if isGood || reason is ExitCode { error.exit() }
    }
    if !isGood, !text.isEmpty { Console.complain(text + "\n") }
    ProcessEnd.end(exitCode(for: reason).rawValue)
  }
}

/// Arguments that have to make sense together.
///
/// Checked behind the parser, not in `validate()`: that comes before the parser complains about an
/// option that is misspelt, and would complain about what follows from that.
package protocol CheckedArguments {
  /// - Throws: `ValidationError`.
  func checkArguments() throws
}

extension Complaint {
  /// What the parser has against the arguments; nil for anything else.
  fileprivate init?(arguments error: any Error) {
    guard !(error is ExitCode), RootCommand.exitCode(for: error) == .validationFailure else {
      return nil
    }
    let hint = RootCommand.fullMessage(for: error).split(separator: "\n").last {
      $0.contains("See '")
    }
    self.init(
      .usage, what: RootCommand.message(for: error), place: "the arguments",
      next: hint.map { $0.drop(while: \.isWhitespace) + "" } ?? "See '\(Program.name) --help'.")
  }
}
