import ArgumentParser
import Foundation

/// A command's error message in three parts: the problem, its place, and the user's next step.
///
/// ```swift
/// throw Complaint(
///   .data, what: "Line 3 has no price.", place: "prices.csv", next: "Add the price.")
/// ```
public struct Complaint: Error {
  package let what: String
  package let place: String
  package let next: String
  package let status: ExitStatus

  /// Creates a message.
  ///
  /// Each of the three parts is printed on a separate line.
  public init(_ status: ExitStatus, what: String, place: String, next: String) {
    self.status = status
    self.what = what
    self.place = place
    self.next = next
  }

  /// The message as one paragraph for a web page.
  package var sentence: String {
    "\(what.onOneLine) Where: \(place.onOneLine). Next: \(next.onOneLine)"
  }

  /// The error message as three lines.
  ///
  /// Line breaks in the texts are removed, because a user's argument can contain a line break.
  var text: String {
    """
    error: \(what.onOneLine)
    where: \(place.onOneLine)
    next:  \(next.onOneLine)

    """
  }

  /// The message as a line of a JSON log, with the fields `message`, `where`, `next` and
  /// `exit_code`.
  var line: String {
    JSONLogHandler.line([
      "time": .text(JSONLogHandler.now), "level": .text("error"), "logger": .text(Program.name),
      "message": .text(what.onOneLine), "where": .text(place.onOneLine),
      "next": .text(next.onOneLine), "exit_code": .number(Int64(status.rawValue)),
    ])
  }

  /// Writes the buffered results, prints the message, and ends the process with its exit code.
  func exit() -> Never {
    // The message describes an earlier error, so an output error is ignored.
    try? Console.finish()
    Console.complain(text)
    ProcessEnd.end(status.rawValue)
  }
}

extension String {
  /// The text on one line, with control characters escaped.
  ///
  /// If the text is very long, its middle is removed.
  fileprivate var onOneLine: String { shortened(to: 4_000).printable() }
}

/// An error that ends a command whose error message was already printed.
struct ReportedError: Error {
  let status: ExitStatus
}

extension Complaint {
  /// Executes a command's body, prints any error in three parts, and converts it to an exit code.
  ///
  /// If the body throws an exit code, the exit code is not changed.
  ///
  /// - Parameters:
  ///   - database: the database that the error message names.
  ///   - format: the format of the log. The last line of the log is the error.
  package static func reportingErrors(
    of database: Database? = nil, in format: LogFormat = .text, _ body: () async throws -> Void
  ) async throws {
    do {
      try await body()
    } catch let exit as ExitCode {
      throw exit
    } catch let reported as ReportedError {
      throw reported
    } catch let validation as ValidationError {
      throw validation
    } catch {
      throw Complaint(error, database: database).reported(in: format)
    }
  }

  /// Prints the complaint as the last line of a log, and returns the error that ends the command.
  func reported(in format: LogFormat) -> ReportedError {
    Console.complain(format == .json ? line : text)
    return ReportedError(status: status)
  }
}

extension Database {
  /// Executes a command's body, prints any error in three parts, and converts it to an exit code.
  ///
  /// - Throws: an error that ends the command. The command's exit code depends on the printed
  ///   error.
  public func reportingErrors(_ body: () async throws -> Void) async throws {
    try await Complaint.reportingErrors(of: self, body)
  }

  /// Executes the body of a command, and prints any error as the last line of a log in the given
  /// format.
  package func reportingErrors(
    in format: LogFormat, _ body: () async throws -> Void
  ) async throws {
    try await Complaint.reportingErrors(of: self, in: format, body)
  }
}
