import Challenges
import ProductKit

extension Int64 {
  /// The instant in whole seconds since 1970, rounded down.
  package var flooredSeconds: Int64 { quotient(by: 1_000_000) }

  /// The microseconds since 1970 as a UTC string in the ISO 8601 format.
  ///
  /// The text has no fraction if the fraction is 0.
  package var isoText: String {
    let seconds = flooredSeconds
    let fraction = self - seconds * 1_000_000
    let day = seconds.quotient(by: 86_400)
    let rest = seconds - day * 86_400
    let clock = [rest / 3_600, rest / 60 % 60, rest % 60].map { CivilDate.digits($0, 2) }
    return "\(CivilDate.text(ofDay: day))T" + clock.joined(separator: ":")
      + (fraction == 0 ? "" : ".\(CivilDate.digits(fraction, 6))") + "Z"
  }

  /// Returns the quotient rounded down, even for instants before 1970.
  private func quotient(by divisor: Int64) -> Int64 {
    (self - (self % divisor + divisor) % divisor) / divisor
  }
}
