extension Int64 {
  /// The number without its fraction, or the nearest possible number if it is out of range.
  ///
  /// NaN becomes 0. For numbers out of range and for NaN, `Int64(_:)` ends the process, so it must
  /// not convert numbers that come from outside the program.
  package init(bounded number: Double) {
    self =
      Int64(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
  }
}
