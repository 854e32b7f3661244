import ArgumentParser

/// The command line of the program that this process runs.
struct RootCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Program.name,
      abstract: Program.application.abstract,
      discussion: """
        The database is DATABASE_URL, otherwise that of libpq's environment (PGHOST, PGSERVICE, ...), otherwise \
        the private server of `\(Program.name) db up`. The schema is BATON_SCHEMA, otherwise \
        \(Program.isEngine ? "the only one of Baton in the database" : "`\(Program.defaultSchema)`"). --config or BATON_CONFIG \
        names a settings file. Arguments override the environment, and the environment overrides the file.

        Exit codes: 0 done; 1 dead runs, a broken audit log or a warning; 2 a critical finding; 64 wrong usage; 65 \
        malformed input; 66 a specified object does not exist; 69 the server cannot be reached; 70 an internal error; 74 the \
        output cannot be written; 75 try again; 77 permission denied; 78 the schema or the server does not match this \
        program.
        """,
      version: Program.application.version,
      subcommands: subcommands)
  }

  private static let commands: [any ParsableCommand.Type] = [
    InitCommand.self, DevCommand.self, DatabaseCommand.self, MigrateCommand.self,
    RolesCommand.self, WorkerCommand.self, ServeCommand.self, HashPasswordCommand.self,
    JobsCommand.self, LimitsCommand.self, RunCommand.self,
    EnqueueCommand.self, RunsCommand.self, BatchesCommand.self, ScheduleCommand.self,
    StatusCommand.self,
    DoctorCommand.self, TopCommand.self, AuditCommand.self, CheckCommand.self, BenchCommand.self,
  ]

  /// The commands of this program.
  ///
  /// The `baton` program contains no job code. If a command needs job code, `baton` prints the name
  /// of the program that contains the command.
  private static var subcommands: [any ParsableCommand.Type] {
    guard Program.isEngine else { return commands + Program.application.commands }
    let names = Set(CodeCommands.all.map { $0.configuration.commandName })
    return commands.filter { !names.contains($0.configuration.commandName) } + CodeCommands.all
  }

  /// The `--config` option exists only for help and completion.
  ///
  /// ``ConfigArgument`` removes `--config` from the arguments before the parser runs.
  @Option(
    help: ArgumentHelp(
      "A settings file, see docs/reference/configuration.md; allowed before and after the command.",
      valueName: "file"))
  var config: String?

  /// Runs the command that the arguments specify, prints any error in three parts, and ends the
  /// process.
  static func run() async -> Never {
    Console.prepare()
    StopSignals.letQuitEnd()
    do {
      try RawText.check()
      try SecretArguments.check(CommandLine.arguments)
      let arguments = try Settings.begin(Array(CommandLine.arguments.dropFirst()))
      let command = try parseAsRoot(arguments)
      if !(command is WorkerCommand) { StopSignals.forgetEarly() }
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
      // The command has already reported an error, so an output error is ignored.
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

  /// Returns the path to a command, such as `["runs", "list"]`, or nil if the command is missing.
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

  /// Prints the help or the version if it was requested, and otherwise exits with the code for the
  /// error.
  private static func end(with reason: any Error) -> Never {
    let isGood = exitCode(for: reason) == .success
    let text = fullMessage(for: reason)
    if isGood, !text.isEmpty { Console.write(text) }
    do throws(Complaint) {
      try Console.finish()
    } catch {
      // If `reason` has its own error message, only this message is printed, and the failure to
      // write the output is not reported.
      if isGood || reason is ExitCode { error.exit() }
    }
    if !isGood, !text.isEmpty { Console.complain(text + "\n") }
    ProcessEnd.end(exitCode(for: reason).rawValue)
  }
}

/// Command arguments whose combination must be checked.
///
/// The arguments are checked after parsing. An error from `validate()` would hide the parser's
/// error about a misspelled option.
package protocol CheckedArguments {
  /// Checks the parsed arguments.
  ///
  /// - Throws: `ValidationError`.
  func checkArguments() throws
}

extension Complaint {
  /// Describes the parser's error about the arguments, or returns nil for any other error.
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
