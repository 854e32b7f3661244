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
      let applied = try await Migrator(database.schema).migrate(connection)
      try await Queue(connection, schema: database.schema).define(RegisteredJob.all)
      for name in applied { print("applied \(name)") }
      print(
        applied.isEmpty
          ? "schema \(database.schema): nothing to do"
          : "schema \(database.schema): \(counted(applied.count, "migration")) applied")
      await connection.close()
    }
  }
}
