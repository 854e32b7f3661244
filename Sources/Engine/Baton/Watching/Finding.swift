/// A problem that `baton doctor` reports, with its place and its fix.
package struct Finding: Sendable, Encodable, Equatable {
  /// How urgent the problem is.
  package enum Severity: String, Sendable, Encodable, Comparable {
    /// Information, or a check that could not be done; no known problem.
    case note
    /// Must be fixed today.
    case warning
    /// Must be fixed now.
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

  package let severity: Severity
  package let what: String
  package let place: String
  package let next: String

  init(_ severity: Severity, _ what: String, at place: String, next: String) {
    self.severity = severity
    self.what = what
    self.place = place
    self.next = next
  }

  private enum CodingKeys: String, CodingKey {
    case severity, what, next
    case place = "where"
  }

  /// The finding as three lines.
  var text: String { "\(severity): \(what)\n  where: \(place)\n  next:  \(next)" }
}

extension [Finding] {
  /// The highest severity; nil if there are only notes or nothing.
  package var worst: Finding.Severity? { map(\.severity).filter { $0 > .note }.max() }

  /// The summary of all findings: `OK`, `WARNING` or `CRITICAL`.
  package var word: String { worst.map { "\($0)".uppercased() } ?? "OK" }

  /// The most severe first, otherwise in the order in which they were found.
  package var sorted: [Finding] {
    [.critical, .warning, .note].flatMap { severity in filter { $0.severity == severity } }
  }

  /// Ends the command with exit code 1 for a warning and 2 for a critical problem.
  func end() throws {
    switch worst {
    case .critical: throw ExitStatus.critical.code
    case .warning: throw ExitStatus.dead.code
    default: return
    }
  }
}
