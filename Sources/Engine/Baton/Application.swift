public import ArgumentParser
public import BatonPostgres
package import Bench
public import JobRunner

/// A program of its own on the runner: its jobs, what they need of a schema, and its commands.
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
/// `orders migrate`, `orders worker` and the runner's other commands are there by themselves.
public protocol Application: Sendable {
  /// What the program is called: in messages, in the server's list of connections, and, with `_` for
  /// `-`, as its schema where nobody says another.
  static var name: String { get }
  /// One sentence for its help.
  static var abstract: String { get }
  /// What `--version` answers.
  static var version: String { get }
  /// Its jobs, in the order in which they are listed and looked at; the runner's own come behind them.
  static var jobs: [RegisteredJob] { get }
  /// What they need of a schema beside the runner's part, in the order in which it is migrated.
  static var parts: [SchemaPart] { get }
  /// Commands beside the runner's.
  static var commands: [any ParsableCommand.Type] { get }
  /// Variables of the environment that it reads as text: what is not UTF-8 is refused.
  static var variables: [String] { get }
  /// A statement that answers whether its parts of a schema are in use; `bench` and `dev` refuse then.
  static var dataCheck: Statement? { get }
  /// The HTTP server: `OperationsServer()` of the module `BatonOperations`; nil: the program serves no HTTP.
  static var http: (any HTTPFront)? { get }
  /// The complaint about an error of its own; nil: the runner says what it can.
  static func complaint(about error: any Error) -> Complaint?
}

extension Application {
  /// `0.0.0`.
  public static var version: String { "0.0.0" }
  /// None: everything is in the runner's part.
  public static var parts: [SchemaPart] { [] }
  /// None.
  public static var commands: [any ParsableCommand.Type] { [] }
  /// None.
  public static var variables: [String] { [] }
  /// None: events and runs are looked for.
  public static var dataCheck: Statement? { nil }
  /// Nil.
  public static var http: (any HTTPFront)? { nil }
  /// Nil.
  public static func complaint(about error: any Error) -> Complaint? { nil }

  /// Runs the command that the arguments name, and ends the process with its exit code.
  ///
  /// On the main thread: with another one the runtime opens files of its own first, and a closed stdout
  /// would be one of them.
  @MainActor public static func main() async {
    Program.begin(Self.self)
    await RootCommand.run()
  }
}

/// The engine's own program, `baton`: it has no code of any job, and works on the schema of any program.
package protocol EngineApplication: Application {}

/// A program of this package, which has cases of `bench` too.
package protocol BenchedApplication: Application {
  /// Its cases; the runner's come before them.
  static var benchCases: [any BenchCase] { get }
}
