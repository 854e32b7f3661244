import BatonJobs
import BatonPostgres
import CheckIns

/// A file's lines in the order in which they are replayed, cut into steps of the clock.
struct ReplayPlan: Sendable {
  /// One step: the lines whose instants lie in it, and where the clock stands meanwhile.
  struct Step: Sendable {
    /// Indices into ``ReplayPlan/lines``.
    let lines: Range<Int>
    /// Microseconds since 1970-01-01 00:00 UTC: the end of the step minus one.
    let clock: Int64
  }

  /// The lines of the range, by instant; equal instants in file order.
  let lines: [CheckIn]
  /// The steps that hold a line, oldest first.
  let steps: [Step]
  /// Indices of the lines with which a member appears for the first time.
  let firstLines: Set<Int>

  /// A plan of the lines with `from <= instant < to`, in microseconds.
  init(_ checkIns: [CheckIn], from: Int64?, to: Int64?, step: Int64) {
    var sorted = checkIns.filter { $0.instant >= from ?? .min && $0.instant < to ?? .max }
    sorted.sort { ($0.instant, $0.line) < ($1.instant, $1.line) }
    var steps: [Step] = []
    var seen: Set<Member> = []
    var firstLines: Set<Int> = []
    for (index, line) in sorted.enumerated() {
      let clock = Self.end(of: line.instant, step: step) - 1
      if let last = steps.last, last.clock == clock {
        steps[steps.count - 1] = Step(lines: last.lines.lowerBound..<index + 1, clock: clock)
      } else {
        steps.append(Step(lines: index..<index + 1, clock: clock))
      }
      if seen.insert(Member(group: line.group, name: line.member)).inserted {
        firstLines.insert(index)
      }
    }
    lines = sorted
    self.steps = steps
    self.firstLines = firstLines
  }

  /// Whether the clock stands where a step leaves it.
  func isStep(_ clock: Timestamp) -> Bool { steps.contains { $0.clock == clock.microseconds } }

  /// The end of the step, aligned to the epoch, that holds an instant.
  private static func end(of instant: Int64, step: Int64) -> Int64 {
    (floorDivide(instant, step) + 1) * step
  }

  /// A user of a replay: one name in two groups is two people.
  private struct Member: Hashable {
    let group: ByteString
    let name: ByteString
  }
}
