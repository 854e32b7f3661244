package import ArgumentParser
package import Baton
import BatonPostgres
import Foundation
import JobRunner
package import ProductPostgres

/// A product whose users can report other users.
package protocol ReportingApplication: Application {
  /// The statements that list and close reports.
  static var reports: ReportList.Statements { get }
  /// The things that users report, for the command's help.
  static var reportedThings: String { get }
}

/// The `reports` command of a product.
package struct ReportsCommand<Product: ReportingApplication>: AsyncParsableCommand {
  package static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "reports",
      abstract: "List and close users' reports about \(Product.reportedThings).",
      subcommands: [List.self, Close.self], defaultSubcommand: List.self)
  }

  package init() {}

  /// The `reports list` command.
  struct List: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(commandName: "list", abstract: "List the reports, oldest first.")
    }

    @Flag(help: "List closed reports too.")
    var all = false

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() async throws {
      let database = try await Database.orExit()
      try await database.reportingErrors() {
        let connection = try await database.connect()
        let list = ReportList(connection, schema: database.schema, Product.reports)
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

  /// The `reports close` command.
  struct Close: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "close",
        abstract: "Close a report; the audit log stores who closed the report.")
    }

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
            next: "`\(Product.name) reports` lists the reports with their ids.")
        }
        let connection = try await database.connect()
        let list = ReportList(connection, schema: database.schema, Product.reports)
        let wasOpen = try await list.close(report, sayWho: AuditOrigin.call)
        await connection.close()
        guard let wasOpen else {
          throw Complaint(
            .noInput, what: "There is no report '\(id)'.", place: "\(database)",
            next: "`\(Product.name) reports --all` lists the reports with their ids.")
        }
        let closed = Closed(id: report.uuidString.lowercased(), wasOpen: wasOpen)
        Console.write(json ? try jsonLine(closed) : closed.line)
      }
    }
  }
}

/// The result of closing a report.
private struct Closed: Encodable {
  let id: String
  let wasOpen: Bool

  var line: String { wasOpen ? "closed report \(id)" : "report \(id) was already closed" }
}

extension ListedReport {
  /// The report as a line of text.
  fileprivate var line: String {
    let sender = reporter.map { "\($0) (\(reporterName ?? ""))" } ?? "a deleted user"
    let line =
      "\(createdAt)  \(id)  \(state)  \(reason)  \(reported) (\(reportedName)) in \(group)"
      + " by \(sender)" + (note.isEmpty ? "" : ": \(note)")
      + (message.map { ", message: \($0)" } ?? "")
    // Line breaks in a note or a message are escaped, because each line represents one report.
    return line.printable()
  }
}
