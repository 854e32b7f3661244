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
  /// - Throws: `invalidInput` for an invalid accuracy: devices say -1 if they know no place.
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

  /// The speed in metres a second between two positions, whichever came first.
  ///
  /// Two places at one instant are infinitely fast.
  public func speed(to other: ClaimedPosition) -> Double {
    let metres = coordinate.distance(to: other.coordinate)
    guard metres > 0 else { return 0 }
    return metres / abs(other.at.timeIntervalSince(at))
  }
}

/// Whether a user can have been where a device says.
///
/// A phone makes this check before it sends, and the server makes it again. A position that passes is not proven, but
/// an impossible one is refused.
public enum Plausibility {
  /// The worst accuracy, in metres.
  public static let worstAccuracy = 200.0
  /// The longest time ago, in seconds; the claim may also be as much in the future, if the device's clock is fast.
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

  /// The first reason to doubt a claim; nil: there is none.
  ///
  /// - Parameters:
  ///   - now: by the clock of the device or server that checks.
  ///   - last: the user's last position that was stored; nil: there is none.
  public static func doubt(
    about claim: ClaimedPosition, at now: Date, after last: ClaimedPosition?
  ) -> Doubt? {
    if claim.accuracy > worstAccuracy { return .inaccurate }
    if abs(now.timeIntervalSince(claim.at)) > oldest { return .untimely }
    if let last, last.speed(to: claim) > fastest { return .tooFast }
    return nil
  }
}
