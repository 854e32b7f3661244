/// A field of a cron expression, stored as a set of small numbers.
struct CronField: Sendable, Hashable {
  /// The kind of a field, which determines the values that the field accepts.
  enum Kind: String {
    case minute, hour
    case day = "day of month"
    case month
    case weekday = "day of week"

    var range: ClosedRange<Int> {
      switch self {
      case .minute: 0...59
      case .hour: 0...23
      case .day: 1...31
      case .month: 1...12
      case .weekday: 0...7
      }
    }

    /// The names of the field's values, in numerical order.
    ///
    /// The first name belongs to the lowest value.
    var names: [String] {
      switch self {
      case .minute, .hour, .day: []
      case .month:
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
      case .weekday: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
      }
    }
  }

  /// Whether the field begins with `*`.
  let beginsWithStar: Bool
  private var bits: UInt64 = 0

  func contains(_ number: Int) -> Bool { bits & (1 << UInt64(number)) != 0 }

  init(_ text: String, _ kind: Kind, of expression: String) throws(MalformedSchedule) {
    beginsWithStar = text.hasPrefix("*")
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let item = Item(text: part, kind: kind, expression: expression)
      for number in try item.numbers() {
        bits |= 1 << UInt64(kind == .weekday ? number % 7 : number)
      }
    }
  }

  /// An item of a list, such as `*`, `5`, `1-5`, `*/2` or `1-5/2`.
  private struct Item {
    let text: Substring
    let kind: Kind
    let expression: String

    func numbers() throws(MalformedSchedule) -> StrideThrough<Int> {
      let halves = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      let range = try range(halves[0])
      guard halves.count == 2 else { return stride(from: range.start, through: range.end, by: 1) }
      guard range.isRange else { throw fault("a step follows * or a range, not '\(halves[0])'") }
      guard let step = number(halves[1]), step > 0 else {
        throw fault("'\(halves[1])' is not a step")
      }
      return stride(from: range.start, through: range.end, by: step)
    }

    private func range(
      _ text: Substring
    ) throws(MalformedSchedule) -> (start: Int, end: Int, isRange: Bool) {
      // In the day-of-week field, `*` means 0 to 6, because 7 also means Sunday.
      if text == "*" {
        return (kind.range.lowerBound, min(kind.range.upperBound, kind == .weekday ? 6 : 59), true)
      }
      let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      let start = try value(ends[0])
      guard ends.count == 2 else { return (start, start, false) }
      var end = try value(ends[1])
      if kind == .weekday, end == 0, start > 0 { end = 7 }
      guard start <= end else { throw fault("the range '\(text)' runs backwards") }
      return (start, end, true)
    }

    private func value(_ text: Substring) throws(MalformedSchedule) -> Int {
      if let name = kind.names.firstIndex(of: text.lowercased()) {
        return name + kind.range.lowerBound
      }
      guard let value = number(text) else {
        throw fault(text.isEmpty ? "a number is missing" : "'\(text)' is not a number or a name")
      }
      guard kind.range.contains(value) else {
        throw fault("\(value) is not in \(kind.range.lowerBound)-\(kind.range.upperBound)")
      }
      return value
    }

    /// Parses a number of at most four digits, without a sign or spaces.
    private func number(_ text: Substring) -> Int? {
      text.utf8.allSatisfy { (48...57).contains($0) } && text.utf8.count <= 4 ? Int(text) : nil
    }

    private func fault(_ what: String) -> MalformedSchedule {
      MalformedSchedule(expression, kind.rawValue, what)
    }
  }
}
