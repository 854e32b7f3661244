/// The number of items in one step, which is adapted so that a step takes about a given amount of
/// time.
///
/// A long step blocks other transactions with its locks. Very small steps spend most of their time
/// on round trips and commits.
package struct StepSize: Sendable {
  /// The size of the next step.
  package private(set) var current: Int
  private let range: ClosedRange<Int>
  private let target: Duration

  /// Creates a step size that begins with `start`, limited to `range`.
  ///
  /// The size is adapted so that a step takes about as long as `target`.
  package init(_ start: Int, within range: ClosedRange<Int>, around target: Duration) {
    current = min(max(start, range.lowerBound), range.upperBound)
    self.range = range
    self.target = target
  }

  /// Doubles or halves the step size after a full step.
  ///
  /// To prevent oscillation, the size does not change if the step took between 0.625 and 1.5 times
  /// the target.
  package mutating func adapt(to elapsed: Duration) {
    if elapsed < target * 5 / 8 {
      current = min(current * 2, range.upperBound)
    } else if elapsed > target * 3 / 2 {
      current = max(current / 2, range.lowerBound)
    }
  }
}
