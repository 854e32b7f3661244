public import ArgumentParser
public import BatonPostgres
package import Bench
public import JobRunner

/// A program on the runner: its jobs, its schema modules and its commands.
///
/// ```swift
/// import Baton
///
/// @main struct Orders: Application {
///   static let name = "orders"
///   static let abstract = "Ships orders."
///   static let jobs = [RegisteredJob(ShipOrders.self) { Warehouse($0) }]
///   static let parts = [SQL.orders]
/// }
/// ```
/// `orders migrate`, `orders worker` and the runner's other commands are added automatically.
public protocol Application: Sendable {
  /// The program's name.
  ///
  /// It is used in messages, as the application name in PostgreSQL's list of connections, and, with `_` for `-`, as
  /// the schema if none is configured.
  static var name: String { get }
  /// One sentence for the program's help.
  static var abstract: String { get }
  /// The version that `--version` prints.
  static var version: String { get }
  /// The program's jobs, in the order in which workers poll them and commands list them; the runner's own jobs
  /// follow.
  static var jobs: [RegisteredJob] { get }
  /// The schema modules that the jobs need in addition to the runner's, in the order of migration.
  static var parts: [SchemaPart] { get }
  /// Commands in addition to the runner's.
  static var commands: [any ParsableCommand.Type] { get }
  /// Environment variables that the program reads as text; a value that is not UTF-8 is refused.
  static var variables: [String] { get }
  /// A statement that returns whether the program's schema modules contain data; if so, `bench` and `dev` refuse to
  /// run.
  static var dataCheck: Statement? { get }
  /// The HTTP server: `OperationsServer()` of the module `BatonOperations`; nil: the program does not serve HTTP.
  static var http: (any HTTPFront)? { get }
  /// The text for an error of the program's own; nil: the runner prints what it knows.
  static func complaint(about error: any Error) -> Complaint?
}

extension Application {
  /// The default: `0.0.0`.
  public static var version: String { "0.0.0" }
  /// The default: none, the runner's schema modules are enough.
  public static var parts: [SchemaPart] { [] }
  /// The default: no further commands.
  public static var commands: [any ParsableCommand.Type] { [] }
  /// The default: no variables.
  public static var variables: [String] { [] }
  /// The default: nil; only events and runs count as data.
  public static var dataCheck: Statement? { nil }
  /// The default: nil, no HTTP server.
  public static var http: (any HTTPFront)? { nil }
  /// The default: nil, no errors of its own.
  public static func complaint(about error: any Error) -> Complaint? { nil }

  /// Runs the command that the arguments name, and ends the process with its exit code.
  ///
  /// It must run on the main thread. With another thread the Swift runtime opens files first, and one of them would
  /// take the number of a closed stdout.
  @MainActor public static func main() async {
    Program.begin(Self.self)
    await RootCommand.run()
  }
}

/// The engine's own program, `baton`: it has no code of jobs, and works on the schema of any program.
package protocol EngineApplication: Application {}

/// A program of this package that adds cases to `bench`.
package protocol BenchedApplication: Application {
  /// The program's bench cases; the runner's come before them.
  static var benchCases: [any BenchCase] { get }
}
