public import Foundation

/// The position that a device reports.
public struct ClaimedPosition: Codable, Hashable, Sendable {
  /// The reported coordinates.
  public let coordinate: Coordinate
  /// The maximum error of the position in meters.
  public let accuracy: Double
  /// The time when the device measured the position.
  public let at: Date

  /// Creates a position.
  ///
  /// - Throws: `invalidInput` if the accuracy is invalid. A device that does not know its position
  ///   reports an accuracy of -1.
  public init(coordinate: Coordinate, accuracy: Double, at: Date) throws(AppError) {
    guard Self.isAccuracy(accuracy) else {
      throw .invalidInput("accuracy \(accuracy) is not a distance")
    }
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.at = at
  }

  /// Decodes a position.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    coordinate = try fields.decode(Coordinate.self, forKey: .coordinate)
    accuracy = try fields.decode(Double.self, forKey: .accuracy)
    at = try fields.decode(Date.self, forKey: .at)
    try fields.require(Self.isAccuracy(accuracy), .accuracy, "not a distance")
  }

  private static func isAccuracy(_ metres: Double) -> Bool { metres >= 0 && metres.isFinite }

  /// Returns the speed between two positions in meters per second.
  ///
  /// The order of the two positions does not matter.
  ///
  /// The speed between two different places at the same time is infinite.
  public func speed(to other: ClaimedPosition) -> Double {
    let metres = coordinate.distance(to: other.coordinate)
    guard metres > 0 else { return 0 }
    return metres / abs(other.at.timeIntervalSince(at))
  }
}

/// Checks whether a reported position is plausible.
///
/// A phone checks a position before sending it, and the server checks it again. The checks reject
/// impossible positions, but do not prove that a position is real.
public enum Plausibility {
  /// The highest accepted value of `accuracy`, in meters.
  public static let worstAccuracy = 200.0
  /// The maximum accepted difference between a position's time and the current time, in seconds.
  ///
  /// The limit also applies to positions with a time in the future, because a device's clock may be
  /// fast.
  public static let oldest: TimeInterval = 120
  /// The highest accepted speed in meters per second, which is faster than any train.
  public static let fastest = 100.0

  /// The reason why a position is not accepted.
  public enum Doubt: String, CaseIterable, Hashable, Sendable {
    /// The position is too inaccurate.
    case inaccurate
    /// The position was measured too long ago, or its time is too far in the future.
    case untimely
    /// The position is too far from the user's previous position.
    case tooFast
  }

  /// Returns the first reason for rejecting a position, or nil if the position is plausible.
  ///
  /// - Parameters:
  ///   - now: The current time, according to the clock of the device or server that makes the
  ///     check.
  ///   - last: The user's last stored position, or nil if none is stored.
  public static func doubt(
    about claim: ClaimedPosition, at now: Date, after last: ClaimedPosition?
  ) -> Doubt? {
    if claim.accuracy > worstAccuracy { return .inaccurate }
    if abs(now.timeIntervalSince(claim.at)) > oldest { return .untimely }
    if let last, last.speed(to: claim) > fastest { return .tooFast }
    return nil
  }
}
