import Foundation
import TestSupport

/// UTC days from the first day until the last, excluding the last: the arguments of `replay --from
/// --to`.
struct Days {
  let instants: Range<Int64>
  /// The same days as options of the command line.
  let options: [String]

  init(_ first: String, _ end: String) {
    instants = Self.microseconds(first)..<Self.microseconds(end)
    options = ["--from", first, "--to", end]
  }

  func filter(_ lines: [CheckInLine]) -> [CheckInLine] {
    lines.filter { instants.contains($0.instant) }
  }

  private static func microseconds(_ day: String) -> Int64 {
    guard let date = try? Date("\(day)T00:00:00Z", strategy: .iso8601) else {
      preconditionFailure("\(day) is a day")
    }
    return Int64(date.timeIntervalSince1970) * 1_000_000
  }
}
