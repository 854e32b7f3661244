/// Something that the person on duty has to know: what, where, and what to do next.
package struct Finding: Sendable, Encodable, Equatable {
  /// How bad it is.
  package enum Severity: String, Sendable, Encodable, Comparable {
    /// Something that could not be seen, or is good to know: nothing is known to be wrong.
    case note
    /// Look at it today.
    case warning
    /// Look at it now.
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

  /// Three lines.
  var text: String { "\(severity): \(what)\n  where: \(place)\n  next:  \(next)" }
}

extension [Finding] {
  /// The worst of them; nil where there is none but notes.
  package var worst: Finding.Severity? { map(\.severity).filter { $0 > .note }.max() }

  /// The word for all of them: `OK`, `WARNING` or `CRITICAL`.
  package var word: String { worst.map { "\($0)".uppercased() } ?? "OK" }

  /// The worst first, in the order in which they were found.
  package var sorted: [Finding] {
    [.critical, .warning, .note].flatMap { severity in filter { $0.severity == severity } }
  }

  /// Ends the command with 1 for a warning and 2 for what is critical.
  func end() throws {
    switch worst {
    case .critical: throw ExitStatus.critical.code
    case .warning: throw ExitStatus.dead.code
    default: return
    }
  }
}
