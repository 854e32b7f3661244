/// A problem that `baton doctor` reports, with its location and its fix.
package struct Finding: Sendable, Encodable, Equatable {
  /// The urgency of a problem.
  package enum Severity: String, Sendable, Encodable, Comparable {
    /// Information, or a check that could not be executed.
    case note
    /// A problem that an operator must fix today.
    case warning
    /// A problem that an operator must fix immediately.
    case critical

    package static func < (one: Self, other: Self) -> Bool { one.order < other.order }

    private var order: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .critical: 2
      }
    }
  }

  /// The dashboard page that shows a finding's rows and the buttons to fix the problem.
  package enum Page: String, Sendable {
    case runs, dead, jobs, schedules, workers, database
  }

  package let severity: Severity
  /// The dashboard page, or nil if the dashboard cannot help.
  package let page: Page?
  package let what: String
  package let place: String
  package let next: String

  init(
    _ severity: Severity, _ what: String, at place: String, page: Page? = nil, next: String
  ) {
    self.severity = severity
    self.page = page
    self.what = what
    self.place = place
    self.next = next
  }

  private enum CodingKeys: String, CodingKey {
    case severity, what, next
    case place = "where"
  }

  /// The finding as three lines of text.
  ///
  /// Keys and names are escaped, so a line break in a key or a name does not begin a new line.
  var text: String {
    "\(severity): \(what.printable())\n  where: \(place.printable())\n  next:  \(next.printable())"
  }
}

extension [Finding] {
  /// The highest severity, or nil if no finding is at the warning or critical level.
  package var worst: Finding.Severity? { map(\.severity).filter { $0 > .note }.max() }

  /// The status of all findings: `OK`, `WARNING` or `CRITICAL`.
  package var word: String { worst.map { "\($0)".uppercased() } ?? "OK" }

  /// The findings, most severe first.
  ///
  /// Findings of equal severity keep their original order.
  package var sorted: [Finding] {
    [.critical, .warning, .note].flatMap { severity in filter { $0.severity == severity } }
  }

  /// Ends the command with exit code 1 after a warning, or with exit code 2 after a critical
  /// problem.
  func end() throws {
    switch worst {
    case .critical: throw ExitStatus.critical.code
    case .warning: throw ExitStatus.dead.code
    default: return
    }
  }
}
