/// A place on the earth, WGS 84.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, -90 to 90.
  public let latitude: Double
  /// Degrees east of Greenwich, -180 to 180; both ends are one meridian.
  public let longitude: Double

  /// A place.
  ///
  /// - Throws: `invalidInput` for a place that is not on the earth; it is not moved onto it.
  public init(latitude: Double, longitude: Double) throws(AppError) {
    guard Self.isLatitude(latitude) else {
      throw .invalidInput("latitude \(latitude) is not from -90 to 90")
    }
    guard Self.isLongitude(longitude) else {
      throw .invalidInput("longitude \(longitude) is not from -180 to 180")
    }
    self.init(onEarth: latitude, longitude)
  }

  // NaN is in no range.
  private static func isLatitude(_ degrees: Double) -> Bool { -90...90 ~= degrees }
  private static func isLongitude(_ degrees: Double) -> Bool { -180...180 ~= degrees }

  /// A place that follows from others, and is on the earth for that.
  init(onEarth latitude: Double, _ longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

extension Coordinate: Codable {
  private enum CodingKeys: String, CodingKey { case latitude, longitude }

  /// Reads a place on the earth.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let latitude = try fields.decode(Double.self, forKey: .latitude)
    let longitude = try fields.decode(Double.self, forKey: .longitude)
    try fields.require(Self.isLatitude(latitude), .latitude, "not from -90 to 90")
    try fields.require(Self.isLongitude(longitude), .longitude, "not from -180 to 180")
    self.init(onEarth: latitude, longitude)
  }

  /// Writes both numbers.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(latitude, forKey: .latitude)
    try fields.encode(longitude, forKey: .longitude)
  }
}
