public import ArgumentParser
public import BatonPostgres
package import Bench
public import JobRunner

/// A program built with Baton: its jobs, its schema modules and its commands.
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
/// Baton adds `orders migrate`, `orders worker` and its other commands automatically.
public protocol Application: Sendable {
  /// The program's name.
  ///
  /// This name appears in messages and in PostgreSQL's list of connections. If no schema is
  /// configured, the schema has the program's name, with `_` instead of `-`.
  static var name: String { get }
  /// A one-sentence description for the program's help.
  static var abstract: String { get }
  /// The version that `--version` prints.
  static var version: String { get }
  /// The program's release number, which each deployment must increase.
  ///
  /// While two releases run during a deployment, the release with the higher number determines the
  /// definitions, limits, schedules and triggers. docs/guides/deploying.md describes rolling
  /// deployments.
  static var release: Int { get }
  /// The program's jobs, in the order in which workers process them and commands list them.
  ///
  /// Baton's own jobs are added after the program's jobs. `[RegisteredJob].around` adds middleware
  /// to the program's jobs.
  static var jobs: [RegisteredJob] { get }
  /// The schema modules that the jobs need in addition to Baton's modules, in migration order.
  static var parts: [SchemaPart] { get }
  /// The program's commands in addition to Baton's commands.
  static var commands: [any ParsableCommand.Type] { get }
  /// The environment variables that the program reads as text.
  ///
  /// The program refuses to start if the value of a listed variable is not valid UTF-8.
  static var variables: [String] { get }
  /// A statement that returns whether the program's schema modules contain data.
  ///
  /// If the statement returns true, the `bench` and `dev` commands refuse to run.
  static var dataCheck: Statement? { get }
  /// The HTTP server, which is `OperationsServer()` from the `BatonOperations` module, or nil if
  /// the program has no HTTP server.
  static var http: (any HTTPFront)? { get }
  /// Returns the program's message for one of its own errors, or nil for any other error.
  ///
  /// If the method returns nil, Baton prints its default message for the error.
  static func complaint(about error: any Error) -> Complaint?
}

extension Application {
  /// The default version, `0.0.0`.
  public static var version: String { "0.0.0" }
  /// The default release, 0.
  ///
  /// With this default, all builds of the program belong to the same release.
  public static var release: Int { 0 }
  /// The default: no schema modules in addition to Baton's modules.
  public static var parts: [SchemaPart] { [] }
  /// The default: no commands in addition to Baton's commands.
  public static var commands: [any ParsableCommand.Type] { [] }
  /// The default: no environment variables.
  public static var variables: [String] { [] }
  /// The default: nil, so `bench` and `dev` check only Baton's own tables.
  public static var dataCheck: Statement? { nil }
  /// The default: no HTTP server.
  public static var http: (any HTTPFront)? { nil }
  /// Returns nil, so Baton prints its default message for every error.
  public static func complaint(about error: any Error) -> Complaint? { nil }

  /// Runs the command that the arguments specify, and ends the process with the command's exit
  /// code.
  ///
  /// The method must run on the main thread, because the Swift runtime opens files when it starts
  /// other threads. If stdout is closed, a file opened by the Swift runtime could get stdout's
  /// descriptor number and receive the command's output.
  @MainActor public static func main() async {
    // A worker may be stopped while the program creates its jobs.
    StopSignals.rememberEarly()
    Program.begin(Self.self)
    await RootCommand.run()
  }
}

/// The `baton` program, which contains no job code and can operate the schema of any Baton program.
package protocol EngineApplication: Application {}

/// A program in this package that adds cases to `bench`.
package protocol BenchedApplication: Application {
  /// The program's bench cases, which are added after Baton's own cases.
  static var benchCases: [any BenchCase] { get }
}
