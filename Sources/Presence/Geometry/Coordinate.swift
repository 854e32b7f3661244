/// A place on the earth, WGS 84.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, -90 to 90.
  public let latitude: Double
  /// Degrees east of Greenwich, -180 to 180; both ends are one meridian.
  public let longitude: Double

  /// A place.
  ///
  /// - Throws: `invalidInput` for anything that is not on the earth: it is not moved there.
  public init(latitude: Double, longitude: Double) throws(AppError) {
    guard -90...90 ~= latitude else {
      throw .invalidInput("latitude \(latitude) is not from -90 to 90")
    }
    guard -180...180 ~= longitude else {
      throw .invalidInput("longitude \(longitude) is not from -180 to 180")
    }
    self.init(onEarth: latitude, longitude)
  }

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
    // NaN is in no range.
    try fields.require(-90...90 ~= latitude, .latitude, "not from -90 to 90")
    try fields.require(-180...180 ~= longitude, .longitude, "not from -180 to 180")
    self.init(onEarth: latitude, longitude)
  }

  /// Writes both numbers.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(latitude, forKey: .latitude)
    try fields.encode(longitude, forKey: .longitude)
  }
}
