/// How much work one step does, adapted so that a step takes about a given time on this machine.
///
/// A step holds locks until it commits, so others wait for as long as it takes. Very small steps, on the other hand,
/// cost round trips and commits.
package struct StepSize: Sendable {
  /// The size of the next step.
  package private(set) var current: Int
  private let range: ClosedRange<Int>
  private let target: Duration

  /// Starts with `start`, limited to `range`, and aims at steps that take `target`.
  package init(_ start: Int, within range: ClosedRange<Int>, around target: Duration) {
    current = min(max(start, range.lowerBound), range.upperBound)
    self.range = range
    self.target = target
  }

  /// Doubles or halves the size after a step that did a full amount of work.
  ///
  /// Times from five eighths to one and a half of the target do not change the size, so that it does not oscillate.
  package mutating func adapt(to elapsed: Duration) {
    if elapsed < target * 5 / 8 {
      current = min(current * 2, range.upperBound)
    } else if elapsed > target * 3 / 2 {
      current = max(current / 2, range.lowerBound)
    }
  }
}
