import ArgumentParser
import JobCore
import JobRunner
import Postgres

/// `baton migrate`.
struct MigrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Bring the schema to what this binary works with.",
    discussion: "Safe to repeat, to interrupt and to run from many places at once.")

  func run() async throws {
    let database = try Database.orExit()
    try await complaining(about: database) {
      let connection = try await Connection.open(database.configuration())
      let outcome = try await Migrator(database.schema, parts: Program.parts)
        .migrate(connection)
      try await Queue(Session(connection, in: database.schema)).define(Program.jobs)
      for name in outcome.migrations { print("applied \(name)") }
      for part in outcome.newerSets {
        print("the functions of \(part) are of a newer binary and stay as they are")
      }
      print("schema \(database.schema): \(summary(outcome))")
      await connection.close()
    }
  }

  private func summary(_ outcome: Migrator.Outcome) -> String {
    guard outcome.migrations.isEmpty, outcome.objects.isEmpty else {
      return "\(counted(outcome.migrations.count, "migration")) applied, "
        + "\(counted(outcome.objects.count, "function, view or trigger", "functions, views and triggers")) made"
    }
    return "nothing to do"
  }
}
