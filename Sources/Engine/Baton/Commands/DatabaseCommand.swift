import ArgumentParser
import PrivateServer

/// The `baton db` command, which starts and stops a private PostgreSQL server.
struct DatabaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "db", abstract: "Run a private PostgreSQL in .baton/ of the current folder.",
    subcommands: [Up.self, Down.self, StatusOf.self])

  /// The `baton db up` command.
  struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Start the private server, which is created on first use.")

    func run() async throws {
      try await Complaint.reportingErrors {
        let running = try PrivateServer.ofThisFolder.up()
        Console.write("running: PostgreSQL \(running.version), process \(running.processID)")
        Console.write("  DATABASE_URL='\(running.connectionString)'")
      }
    }
  }

  /// The `baton db down` command.
  struct Down: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Stop the private server, and keep its data.")

    func run() async throws {
      try await Complaint.reportingErrors {
        try PrivateServer.ofThisFolder.down()
        Console.write("stopped; the data stays in .baton/")
      }
    }
  }

  /// The `baton db status` command.
  struct StatusOf: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Print whether the private server is running; exits with 69 if it is not.")

    func run() async throws {
      try await Complaint.reportingErrors {
        switch try PrivateServer.ofThisFolder.status() {
        case .absent:
          Console.write("absent: `\(Program.name) db up` creates it")
          throw ExitStatus.unavailable.code
        case .stopped:
          Console.write("stopped: `\(Program.name) db up` starts it")
          throw ExitStatus.unavailable.code
        case .running(let running):
          Console.write("running: PostgreSQL \(running.version), process \(running.processID)")
          Console.write("  DATABASE_URL='\(running.connectionString)'")
        }
      }
    }
  }
}
