#if HTTP
  import ChallengesPostgres
  import ChallengesSQL
  import BatonOperations
  import BatonPostgres

  /// The dashboard page with the weeks, the groups whose weeks have not been closed yet, and the
  /// sessions that delay the closing.
  struct WeeksPage: DashboardPage {
    let name = "weeks"
    let title = "Weeks"

    /// The maximum number of boards counted for each state of a week.
    ///
    /// If a week has more boards in a state than the maximum, the page shows "10,000+".
    static let most = 10_000

    private struct Waiting: Sendable {
      let week, group, name: String
      let boards: Int64
      let reopenedUntil: String?
    }

    func content(_ request: PageRequest, reading session: Session) async throws -> PageContent {
      let list = WeekList(session.connection, schema: session.schema)
      let weeks = try await list.weeks(limit: 20, countingTo: Self.most + 1)
      let holders = try await list.holders(for: 60)
      let waiting = try await session.atomically(
        Call.rows(SQL.Dashboard.listWaitingGroups) { (row) throws(PostgresError) in
          let (week, group, name, boards, until) = try row.decode(
            String.self, String.self, String.self, Int64.self, String?.self)
          return Waiting(
            week: week, group: group, name: name, boards: boards, reopenedUntil: until)
        })
      return PageContent("Weeks") {
        section("Weeks") { table(weeks).markup(orElse: "No week has boards yet.") }
        section("Groups with a pending close") {
          table(waiting).markup(orElse: "No group: every past week is closed.")
        }
        if !holders.isEmpty {
          section("Sessions that lock boards") { table(holders).markup(orElse: "None.") }
        }
      }
    }

    private func table(_ weeks: [WeekSummary]) -> PageTable {
      var table = PageTable(
        "Weeks, the newest first", .text("Week"), .text("State"), .number("Open"),
        .number("Settling"), .number("Closed"), .number("Cancelled"), .text("Last closed"))
      for week in weeks {
        table.add(
          Markup("\(week.weekStart) (\(week.label))"), state(week), count(week.open),
          count(week.settling), count(week.closed), count(week.cancelled),
          Markup(week.closedAt ?? "–"))
      }
      return table
    }

    private func count(_ boards: Int64) -> Markup {
      Markup(boards > Self.most ? "10,000+" : "\(boards)")
    }

    private func state(_ week: WeekSummary) -> Markup {
      if week.behindSeconds > 0 { return badge("overdue by \(week.behindSeconds) s", .critical) }
      if week.settling > 0 { return badge("settling", .warning) }
      return week.open > 0 ? badge("open", .good) : badge("closed")
    }

    private func table(_ waiting: [Waiting]) -> PageTable {
      var table = PageTable(
        "Groups with boards of past weeks that are not closed", .text("Week"), .text("Group"),
        .text("Name"), .number("Boards"), .text("Reopened until"))
      for row in waiting {
        table.add(
          Markup(row.week), link(row.group, to: Link("boards", row.group)), Markup(row.name),
          Markup("\(row.boards)"), Markup(row.reopenedUntil ?? "–"))
      }
      return table
    }

    private func table(_ holders: [BoardHolder]) -> PageTable {
      var table = PageTable(
        "Sessions that have locked boards for more than a minute", .number("Process"),
        .text("User"), .text("Open for"))
      for holder in holders {
        table.add(
          Markup("\(holder.pid)"), Markup("\(holder.user), \(holder.application)"),
          Markup(holder.seconds.map { "\($0) s" } ?? "not visible"))
      }
      return table
    }
  }
#endif
