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
      CheckCommand.self, DemoCommand.self, BenchCommand.self,
    ])
}
