import ArgumentParser
import BatonPostgres
import JobRunner

/// The commands that need job code.
///
/// The `baton` program does not contain job code.
///
/// If a command needs job code, `baton` prints the name of the program that contains the command.
enum CodeCommands {
  static let all: [any ParsableCommand.Type] = [
    Dev.self, Migrate.self, Worker.self, Run.self, Bench.self,
  ]

  struct Dev: CodeCommand {
    static let name = "dev"
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
  }
  struct Migrate: CodeCommand {
    static let name = "migrate"
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
  }
  struct Worker: CodeCommand {
    static let name = "worker"
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
  }
  struct Run: CodeCommand {
    static let name = "run"
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
  }
  struct Bench: CodeCommand {
    static let name = "bench"
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
  }
}

/// A command that `baton` lists, but that only a program with job code can run.
protocol CodeCommand: AsyncParsableCommand {
  static var name: String { get }
}

extension CodeCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: name, abstract: "Print the name of the program that contains this command.")
  }

  mutating func run() async throws {
    let programs = await Self.programs()
    throw Complaint(
      .usage, what: "`\(Program.name)` does not contain the jobs' code that `\(Self.name)` needs.",
      place: "\(Program.name) \(Self.name)",
      next: programs.isEmpty
        ? "Use the program that contains the jobs: `PROGRAM \(Self.name)`."
        : "Use \(programs.map { "`\($0) \(Self.name)`" }.joined(separator: " or ")).")
  }

  /// Returns the programs that defined jobs in the schema, or an empty list if the schema cannot be
  /// read.
  private static func programs() async -> [String] {
    guard let database = try? await Database.fromEnvironment().withItsSchema(),
      let connection = try? await database.open()
    else { return [] }
    let jobs = try? await Queue(Session(connection, in: database.schema)).jobs()
    await connection.close()
    return jobs?.programs ?? []
  }
}
