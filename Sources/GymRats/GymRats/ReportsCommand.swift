import ArgumentParser
import Baton
import BatonPostgres
import ChallengesPostgres
import Foundation
import JobRunner

/// The command `gymrats reports`.
struct ReportsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reports", abstract: "List and close users' reports about other users.",
    subcommands: [List.self, Close.self], defaultSubcommand: List.self)

  /// The command `gymrats reports list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the reports, oldest first.")

    @Flag(help: "List closed reports too.")
    var all = false

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() async throws {
      let database = try await Database.orExit()
      try await database.reportingErrors() {
        let connection = try await database.connect()
        let list = ReportList(connection, schema: database.schema)
        var last: ListedReport?
        while true {
          let reports = try await list.reports(all: all, after: last)
          if reports.isEmpty, last == nil, !json { Console.write("no reports") }
          for report in reports { Console.write(json ? try jsonLine(report) : report.line) }
          guard reports.count == ReportList.page else { break }
          last = reports.last
        }
        await connection.close()
      }
    }
  }

  /// The command `gymrats reports close`.
  struct Close: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Close a report; the audit log stores who closed the report.")

    @Argument(help: "The report's id.")
    var id: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
      let database = try await Database.orExit()
      try await database.reportingErrors() {
        guard let report = UUID(uuidString: id) else {
          throw Complaint(
            .usage, what: "'\(id)' is not the id of a report.", place: "ID",
            next: "`gymrats reports` lists the reports with their ids.")
        }
        let connection = try await database.connect()
        let wasOpen = try await ReportList(connection, schema: database.schema).close(
          report, sayWho: AuditOrigin.call)
        await connection.close()
        guard let wasOpen else {
          throw Complaint(
            .noInput, what: "There is no report '\(id)'.", place: "\(database)",
            next: "`gymrats reports --all` lists the reports with their ids.")
        }
        let closed = Closed(id: report.uuidString.lowercased(), wasOpen: wasOpen)
        Console.write(json ? try jsonLine(closed) : closed.line)
      }
    }
  }

  /// The result of closing a report.
  private struct Closed: Encodable {
    let id: String
    let wasOpen: Bool

    var line: String { wasOpen ? "closed report \(id)" : "report \(id) was already closed" }
  }
}

extension ListedReport {
  /// The report as a line of text.
  fileprivate var line: String {
    let sender = reporter.map { "\($0) (\(reporterName ?? ""))" } ?? "a deleted user"
    let line =
      "\(createdAt)  \(id)  \(state)  \(reason)  \(reported) (\(reportedName)) in \(group)"
      + " by \(sender)" + (note.isEmpty ? "" : ": \(note)")
    // A note with a line break could otherwise look like another report.
    return line.printable()
  }
}
