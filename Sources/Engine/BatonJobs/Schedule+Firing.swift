import Foundation

extension Schedule {
  /// What a firing does with the occurrences that are due.
  package struct Firing: Sendable, Equatable {
    /// Occurrences that run, oldest first.
    package let fired: [Int64]
    /// Occurrences that are recorded as skipped, oldest first.
    package let skipped: [Int64]
    /// The next occurrence after these; nil if there are no more.
    package let next: Int64?
  }

  /// The most occurrences of ``MissedOccurrences/all`` that one firing runs; the next firing runs the others.
  package static let mostFired = 100
  /// The most occurrences that one firing records as skipped; more of them are skipped without a record.
  package static let mostSkipped = 1000

  /// Decides which due occurrences run and which are skipped; nil if none is due.
  ///
  /// - Parameters:
  ///   - next: the first occurrence that was not handled yet.
  ///   - delay: how long after its time an occurrence fires, in microseconds.
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
      // The newest instant that is too late: an occurrence is too late from one microsecond over the tolerance.
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
  /// If each occurrence makes a run, its time is the key. Otherwise all occurrences share one key, so that at most
  /// one run waits and one runs.
  ///
  /// - Parameter name: the schedule's name, if it has one.
  package func key(of occurrence: Int64, named name: String?) -> ScheduleKey {
    ScheduleKey(occurrence: missed == .all ? occurrence : nil, schedule: name)
  }

  /// The key that all occurrences of a schedule without a name share, unless each makes its own run.
  package static let sharedKey = "scheduled"

  /// The occurrence whose own key this text is; nil for any other text.
  static func instant(ofKey key: String) -> Int64? {
    guard let date = try? Date(key, strategy: .iso8601),
      let instant = Int64(exactly: date.timeIntervalSince1970), text(of: instant) == key
    else { return nil }
    return instant
  }

  /// Formats an instant as `2024-06-03T00:00:00Z`, the name of an occurrence.
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
