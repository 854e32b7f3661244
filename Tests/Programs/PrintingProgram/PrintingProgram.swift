import ArgumentParser
import Baton
import BatonPostgres

/// A program whose author uses `print` in a job and in a command.
@main struct PrintingProgram: Application {
  static let name = "printing"
  static let abstract = "Prints what it is given."
  static let jobs = [RegisteredJob(PrintKey.self) { $0 }, RegisteredJob(Greet.self) { _ in }]
  static let commands: [any ParsableCommand.Type] = [SayCommand.self, ListCommand.self]
}

/// Prints the key of each run.
struct PrintKey: BatchJob {
  static let definition = Definition<Self>("print-key")

  typealias Key = String

  static func run(_ batch: [Run<Self>], in transaction: Transaction) async throws {
    for run in batch { print("key: \(run.key)") }
  }
}

/// Prints a field of the payload, and returns the printed line as the run's output.
///
/// The page docs/guides/your-own.md contains this job.
struct Greet: EffectJob {
  static let definition = Definition<Self>("greet", keepsHistory: true)

  let name: String

  static func perform(_ run: Run<Self>, in _: Void) async throws -> String {
    let greeting = "Hello, \(run.payload.name)!"
    print(greeting)
    return greeting
  }
}

/// The `printing say` command, which prints each argument on a line.
struct SayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "say", abstract: "Print lines.")

  @Argument(help: "The lines.")
  var lines: [String]

  func run() async throws {
    for line in lines { print(line) }
  }
}

/// The `printing list` command, which writes many lines as results.
struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Write numbers, a line each.")

  @Argument(help: "How many.")
  var count: Int

  @Option(help: "The error with which the command ends: complaint or validation.")
  var error: String?

  func run() async throws {
    for number in 0..<count { Console.write("\(number)") }
    if error == "complaint" {
      throw Complaint(.data, what: "The list is bad.", place: "the list", next: "Correct it.")
    }
    if error == "validation" { throw ValidationError("The list is bad.") }
  }
}
