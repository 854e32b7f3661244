extension Int64 {
  /// The number without its fraction, or the nearest possible number if it is out of range.
  ///
  /// `Int64(_:)` ends the process for such numbers and for NaN, so it must not convert numbers that
  /// come from outside the program. NaN becomes 0.
  package init(bounded number: Double) {
    self =
      Int64(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
  }
}
