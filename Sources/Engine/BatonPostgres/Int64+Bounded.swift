extension Int64 {
  /// Creates an integer from the number without its fraction, or the nearest `Int64` if the number
  /// is out of range.
  ///
  /// NaN becomes 0. For numbers out of range and for NaN, `Int64(_:)` ends the process, so numbers
  /// from outside the program must not be converted with `Int64(_:)`.
  package init(bounded number: Double) {
    self =
      Int64(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
  }
}
