import CivilTime

extension Int64 {
  /// The whole seconds since 1970, rounded down from the microseconds.
  package var flooredSeconds: Int64 { floorDivide(self, 1_000_000) }

  /// The microseconds since 1970 as a UTC string in ISO 8601 format.
  ///
  /// If the fractional seconds are 0, the text omits them.
  package var isoText: String {
    let seconds = flooredSeconds
    let fraction = self - seconds * 1_000_000
    let day = floorDivide(seconds, 86_400)
    return "\(CivilDay(day).text)T\(CivilClock.text(ofSecond: seconds - day * 86_400))"
      + (fraction == 0 ? "" : ".\(fraction.digits(6))") + "Z"
  }
}
