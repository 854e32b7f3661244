import Baton
import BatonPostgres
import JobRunner

/// The page about the database, with sizes, waiting sessions, and sessions that delay the removal
/// of dead rows.
struct ServerPage: DashboardPage {
  let name = "database"
  let title = "Database"

  func content(_ request: PageRequest, reading session: Session) async throws -> PageContent {
    let page = try await Queue(session).database()
    return PageContent("Database") {
      section("Server") {
        facts([
          ("PostgreSQL", Markup(page.version)), ("Database", Markup(page.bytes.size)),
          ("Read at", instant(page.at)),
        ])
      }
      section("What blocks vacuum") {
        holders(page.holders).markup(orElse: "Nothing blocks vacuum.")
        if !page.isAllSeen {
          tag("p", ["class": "soft"], "Transactions of other roles are hidden from this login.")
        }
      }
      section("Lock waits") { waits(page.waits).markup(orElse: "No session waits for a lock.") }
      section("Segments of the event log") {
        segments(page.segments).markup(orElse: "There are none.")
      }
      section("Tables") { tables(page.tables).markup(orElse: "There are none.") }
      section("Indexes") { indexes(page.indexes).markup(orElse: "There are none.") }
    }
  }

  private func holders(_ holders: [VacuumHolder]) -> PageTable {
    var table = PageTable(
      "The oldest first", .text("Kind"), .text("Process or name"), .number("Open for"),
      .text("State"), .text("User"))
    for holder in holders {
      table.add(
        Markup(holder.kind), Markup(holder.name),
        Markup(holder.seconds.map { Double($0).duration } ?? "–"), Markup(holder.state),
        Markup("\(holder.user) \(holder.applicationName)"))
    }
    return table
  }

  private func waits(_ waits: [DatabasePage.LockWait]) -> PageTable {
    var table = PageTable(
      "Waiting sessions, the longest first", .number("Process"), .text("Waits for"),
      .number("Waiting"), .text("Lock"), .text("Mode"), .text("User"))
    for wait in waits {
      table.add(
        Markup("\(wait.pid)"), Markup(wait.blockedBy.map(String.init).joined(separator: ", ")),
        Markup(wait.seconds?.duration ?? "–"), Markup(wait.lock), Markup(wait.mode),
        Markup([wait.user, wait.applicationName].compactMap { $0 }.joined(separator: ", ")))
    }
    return table
  }

  private func segments(_ segments: [DatabasePage.Segment]) -> PageTable {
    var table = PageTable(
      "Segments of the event log", .text("Segment"), .text("State"), .number("Events"),
      .number("Size"))
    for segment in segments {
      table.add(
        Markup("event_\(segment.number)"),
        segment.isCurrent ? badge("written", .good) : badge("waits"), Markup("\(segment.rows)"),
        Markup(segment.bytes.size))
    }
    return table
  }

  private func tables(_ tables: [DatabasePage.Table]) -> PageTable {
    var table = PageTable(
      "The largest tables; row counts are estimates of the server", .text("Table"), .number("Rows"),
      .number("Dead rows"), .number("Size of rows"), .number("Indexes"), .number("Total"),
      .text("Vacuumed"))
    for row in tables {
      table.add(
        Markup(row.name), Markup("\(row.rows)"), Markup("\(row.deadRows)"),
        Markup(row.bytes.size), Markup(row.indexBytes.size), Markup(row.totalBytes.size),
        instant(row.vacuumedAt))
    }
    return table
  }

  private func indexes(_ indexes: [DatabasePage.Index]) -> PageTable {
    var table = PageTable(
      "The largest indexes", .text("Index"), .text("Table"), .number("Size"), .number("Scans"))
    for index in indexes {
      table.add(
        Markup(index.name), Markup(index.table), Markup(index.bytes.size),
        Markup("\(index.scans)"))
    }
    return table
  }
}

extension Int64 {
  /// The number of bytes as text, such as `120 kB`, `3.4 MB` or `12 GB`.
  var size: String {
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    var (value, unit) = (Double(self), 0)
    while value >= 1_024, unit < units.count - 1 { (value, unit) = (value / 1_024, unit + 1) }
    let text = value < 10 && unit > 0 ? "\((value * 10).rounded() / 10)" : "\(Int(value))"
    return "\(text) \(units[unit])"
  }
}
