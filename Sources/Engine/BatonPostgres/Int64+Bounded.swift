extension Int64 {
  /// The number without its fraction, or the nearest possible number if the number is out of range.
  ///
  /// NaN becomes 0. For numbers out of range and for NaN, `Int64(_:)` ends the process, so numbers
  /// from outside the program must not be converted with `Int64(_:)`.
  package init(bounded number: Double) {
    self =
      Int64(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
  }
}
