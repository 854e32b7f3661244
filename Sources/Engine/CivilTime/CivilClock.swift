/// The time of day, as a number of seconds since midnight.
package enum CivilClock {
  /// Returns a time of day as text, such as `23:59:59`.
  package static func text(ofSecond second: Int64) -> String {
    "\((second / 3_600).digits(2)):\((second / 60 % 60).digits(2)):\((second % 60).digits(2))"
  }
}
