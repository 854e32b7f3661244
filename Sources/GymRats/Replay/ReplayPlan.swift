import BatonJobs
import BatonPostgres
import CheckIns
import CivilTime

/// The lines of a file in replay order, grouped into clock steps.
struct ReplayPlan: Sendable {
  /// A clock step and the lines recorded in it.
  struct Step: Sendable {
    /// The indices of the step's lines in ``ReplayPlan/lines``.
    let lines: Range<Int>
    /// The clock's time in the step, in microseconds since 1970-01-01 00:00 UTC.
    ///
    /// The clock's time is one microsecond before the end of the step.
    let clock: Int64
  }

  /// The lines of the replayed range, ordered by time.
  ///
  /// Lines with equal times are in file order.
  let lines: [CheckIn]
  /// The steps with at least one line, oldest first.
  let steps: [Step]
  /// The index of each member's first line.
  let firstLines: Set<Int>

  /// Creates a plan of the lines with `from <= instant < to`, in microseconds.
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

  /// Returns whether a time is a step's clock time.
  func isStep(_ clock: Timestamp) -> Bool { steps.contains { $0.clock == clock.microseconds } }

  /// Returns the end of the step that contains a given time.
  ///
  /// Steps are aligned to 1970-01-01 00:00 UTC.
  private static func end(of instant: Int64, step: Int64) -> Int64 {
    (floorDivide(instant, step) + 1) * step
  }

  /// A user of a replay, identified by the group and the member's name.
  ///
  /// Members with the same name in two groups are two users.
  private struct Member: Hashable {
    let group: ByteString
    let name: ByteString
  }
}
