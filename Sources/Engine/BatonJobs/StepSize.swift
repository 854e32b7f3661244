/// How much a step does at a time: as much as takes about a given time on this machine.
///
/// A step holds locks until it commits, so its time is what others wait; doing little at a time
/// costs round trips and commits.
package struct StepSize: Sendable {
  /// How much to do next.
  package private(set) var current: Int
  private let range: ClosedRange<Int>
  private let target: Duration

  /// Begins with `start`, inside `range`, and aims at steps of `target`.
  package init(_ start: Int, within range: ClosedRange<Int>, around target: Duration) {
    current = min(max(start, range.lowerBound), range.upperBound)
    self.range = range
    self.target = target
  }

  /// Doubles or halves the size after a step that did all it was asked for.
  ///
  /// Times between five eighths of the target and one and a half of it change nothing, so that the
  /// size does not swing to and fro.
  package mutating func adapt(to elapsed: Duration) {
    if elapsed < target * 5 / 8 {
      current = min(current * 2, range.upperBound)
    } else if elapsed > target * 3 / 2 {
      current = max(current / 2, range.lowerBound)
    }
  }
}
