public import Foundation

/// Where a device says that it was.
public struct ClaimedPosition: Codable, Hashable, Sendable {
  /// The place.
  public let coordinate: Coordinate
  /// How far off it may be, in metres.
  public let accuracy: Double
  /// When it was there.
  public let at: Date

  /// A claim.
  ///
  /// - Throws: `invalidInput` for an accuracy that is none: devices say -1 where they know no place.
  public init(coordinate: Coordinate, accuracy: Double, at: Date) throws(AppError) {
    guard Self.isAccuracy(accuracy) else {
      throw .invalidInput("accuracy \(accuracy) is not a distance")
    }
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.at = at
  }

  /// Reads a claim.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    coordinate = try fields.decode(Coordinate.self, forKey: .coordinate)
    accuracy = try fields.decode(Double.self, forKey: .accuracy)
    at = try fields.decode(Date.self, forKey: .at)
    try fields.require(Self.isAccuracy(accuracy), .accuracy, "not a distance")
  }

  private static func isAccuracy(_ metres: Double) -> Bool { metres >= 0 && metres.isFinite }

  /// How fast somebody was who was at both places, in metres a second, whichever came first.
  ///
  /// Nobody is at two places at one instant: that is infinitely fast.
  public func speed(to other: ClaimedPosition) -> Double {
    let metres = coordinate.distance(to: other.coordinate)
    guard metres > 0 else { return 0 }
    return metres / abs(other.at.timeIntervalSince(at))
  }
}

/// Whether somebody can have been where a device says.
///
/// A check that a phone asks before it sends, and the server after it: what a phone says proves nothing, but
/// what cannot be is not taken.
public enum Plausibility {
  /// The worst accuracy, in metres.
  public static let worstAccuracy = 200.0
  /// The longest time ago, in seconds; a clock that is ahead may be so by as much.
  public static let oldest: TimeInterval = 120
  /// The highest speed, in metres a second: no train is faster, and who flies is at no meeting.
  public static let fastest = 100.0

  /// What speaks against a claim.
  public enum Doubt: String, CaseIterable, Hashable, Sendable {
    /// It is too coarse to say anything.
    case inaccurate
    /// It is of another time than now.
    case untimely
    /// It is too far from where the same user was before.
    case tooFast
  }

  /// The first thing that speaks against a claim; nil: nothing does.
  ///
  /// - Parameters:
  ///   - now: by the clock of whoever asks.
  ///   - last: the user's last position that was kept; nil: there is none.
  public static func doubt(
    about claim: ClaimedPosition, at now: Date, after last: ClaimedPosition?
  ) -> Doubt? {
    if claim.accuracy > worstAccuracy { return .inaccurate }
    if abs(now.timeIntervalSince(claim.at)) > oldest { return .untimely }
    if let last, last.speed(to: claim) > fastest { return .tooFast }
    return nil
  }
}
