/// A place on the earth in WGS 84.
public struct Coordinate: Hashable, Sendable {
  /// The latitude in degrees north of the equator, from -90 to 90.
  public let latitude: Double
  /// The longitude in degrees east of Greenwich, from -180 to 180.
  ///
  /// The longitudes -180 and 180 denote the same meridian.
  public let longitude: Double

  /// Creates a place.
  ///
  /// - Throws: `invalidInput` if the latitude or the longitude is out of range. An out-of-range
  ///   value is never corrected.
  public init(latitude: Double, longitude: Double) throws(AppError) {
    guard Self.isLatitude(latitude) else {
      throw .invalidInput("latitude \(latitude) is not from -90 to 90")
    }
    guard Self.isLongitude(longitude) else {
      throw .invalidInput("longitude \(longitude) is not from -180 to 180")
    }
    self.init(onEarth: latitude, longitude)
  }

  // The range checks also reject NaN, which is not in any range.
  private static func isLatitude(_ degrees: Double) -> Bool { -90...90 ~= degrees }
  private static func isLongitude(_ degrees: Double) -> Bool { -180...180 ~= degrees }

  /// Creates a place from a computed latitude and longitude, which the caller guarantees to be in
  /// range.
  init(onEarth latitude: Double, _ longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

extension Coordinate: Codable {
  private enum CodingKeys: String, CodingKey { case latitude, longitude }

  /// Decodes a place.
  ///
  /// - Throws: `DecodingError` if the latitude or the longitude is out of range.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let latitude = try fields.decode(Double.self, forKey: .latitude)
    let longitude = try fields.decode(Double.self, forKey: .longitude)
    try fields.require(Self.isLatitude(latitude), .latitude, "not from -90 to 90")
    try fields.require(Self.isLongitude(longitude), .longitude, "not from -180 to 180")
    self.init(onEarth: latitude, longitude)
  }

  /// Encodes the latitude and the longitude.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(latitude, forKey: .latitude)
    try fields.encode(longitude, forKey: .longitude)
  }
}
