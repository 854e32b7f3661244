import Foundation

extension Schedule {
  /// What a firing does with the occurrences that are due.
  package struct Firing: Sendable, Equatable {
    /// Those that run, oldest first.
    package let fired: [Int64]
    /// Those that are recorded as skipped, oldest first.
    package let skipped: [Int64]
    /// The occurrence after them; nil where there is none any more.
    package let next: Int64?
  }

  /// How many occurrences of ``MissedOccurrences/all`` one firing lets run; the others come with the next.
  package static let mostFired = 100
  /// How many occurrences one firing records as skipped; further ones pass without a trace.
  package static let mostSkipped = 1000

  /// Decides about the occurrences from `next` on that are due; nil where none is.
  ///
  /// - Parameters:
  ///   - next: the first occurrence that was not dealt with.
  ///   - delay: by how much occurrences fire after their time, in microseconds.
  ///   - now: the clock, in microseconds since 1970-01-01 00:00 UTC.
  package func firing(from next: Int64, delay: Int64, at now: Int64) -> Firing? {
    let through = floorDivide(now - delay, 1_000_000)
    guard next <= through else { return nil }
    let before = next - 1
    switch missed {
    case .once:
      let newest = newest(after: before, through: through)
      return Firing(
        fired: newest.map { [$0] } ?? [], skipped: [], next: self.next(after: through))
    case .all:
      let fired = occurrences(after: before, through: through, limit: Self.mostFired)
      return Firing(fired: fired, skipped: [], next: self.next(after: fired.last ?? through))
    case .skip:
      let tolerance = Self.tolerance.components.seconds * 1_000_000
      // The newest that is too late: whoever is later than the tolerance by a microsecond.
      let tooLate = floorDivide(now - delay - tolerance - 1, 1_000_000)
      return Firing(
        fired: occurrences(after: max(before, tooLate), through: through, limit: .max),
        skipped: occurrences(
          after: before, through: min(through, tooLate), limit: Self.mostSkipped),
        next: self.next(after: through))
    }
  }

  /// The key of the run that an occurrence makes.
  ///
  /// Where each occurrence counts, its time is the key. Else all share one key, so that there is at
  /// most one run that waits and one that runs.
  ///
  /// - Parameter name: the schedule's, where the job has several.
  package func key(of occurrence: Int64, named name: String?) -> ScheduleKey {
    ScheduleKey(occurrence: missed == .all ? occurrence : nil, schedule: name)
  }

  /// The key that all occurrences of a schedule without a name share, unless each of them counts.
  package static let sharedKey = "scheduled"

  /// The occurrence whose own key a text is; nil where it is no such key.
  static func instant(ofKey key: String) -> Int64? {
    guard let date = try? Date(key, strategy: .iso8601),
      let instant = Int64(exactly: date.timeIntervalSince1970), text(of: instant) == key
    else { return nil }
    return instant
  }

  /// An instant as `2024-06-03T00:00:00Z`: what occurrences are called.
  package static func text(of instant: Int64) -> String {
    let day = CivilDay(floorDivide(instant, 86_400))
    let second = Int(instant - day.number * 86_400)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let year = String(day.year)
    let padding = String(repeating: "0", count: max(0, 4 - year.count))
    return "\(padding)\(year)-\(two(day.month))-\(two(day.day))"
      + "T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
  }
}
