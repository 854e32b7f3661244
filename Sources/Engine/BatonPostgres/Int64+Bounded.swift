extension Int64 {
  /// Creates an integer from the number without its fraction, or the nearest `Int64` if the number
  /// is out of range.
  ///
  /// NaN becomes 0. Numbers from outside the program must not be converted with `Int64(_:)`, which
  /// ends the process for NaN and for out-of-range numbers.
  package init(bounded number: Double) {
    self =
      Int64(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
  }
}
