import Foundation

/// The earth as a sphere.
///
/// Distances on the sphere differ from those on the ellipsoid by at most 0.6 %. The error in a
/// phone's position is larger than the difference between the sphere and the ellipsoid.
public enum Sphere {
  /// The mean radius in meters, R1 = (2a + b) / 3.
  ///
  /// The value is from Moritz, "Geodetic Reference System 1980", Journal of Geodesy 74 (2000).
  public static let radius = 6_371_008.8

  /// The length of one degree of latitude in meters.
  public static let degree = radius * .pi / 180

  static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

  static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }

  /// Returns the equivalent longitude in the range from -180 to 180.
  static func normalized(_ longitude: Double) -> Double {
    let rest = longitude.truncatingRemainder(dividingBy: 360)
    if rest > 180 { return rest - 360 }
    return rest < -180 ? rest + 360 : rest
  }
}

extension Coordinate {
  /// Returns the distance to another place along the ground in meters.
  ///
  /// The haversine formula is accurate even for small distances. The formula is from Sinnott,
  /// "Virtues of the Haversine", Sky and Telescope 68 (1984), page 159.
  public func distance(to other: Coordinate) -> Double {
    let (here, there) = (Sphere.radians(latitude), Sphere.radians(other.latitude))
    let north = sin((there - here) / 2)
    let east = sin(Sphere.radians(other.longitude - longitude) / 2)
    let haversine = min(1, north * north + cos(here) * cos(there) * east * east)
    return 2 * Sphere.radius * atan2(haversine.squareRoot(), (1 - haversine).squareRoot())
  }

  /// Returns the place at a given distance in a given direction.
  ///
  /// The formula is from the section "Lat/lon given radial and distance" of Williams, Aviation
  /// Formulary 1.47.
  ///
  /// - Parameters:
  ///   - metres: The distance along the ground in meters.
  ///   - bearing: The direction in degrees, where 0 is north and 90 is east.
  public func moved(by metres: Double, bearing: Double) -> Coordinate {
    let (here, way) = (Sphere.radians(latitude), metres / Sphere.radius)
    let direction = Sphere.radians(bearing)
    let north = sin(here) * cos(way) + cos(here) * sin(way) * cos(direction)
    let east = sin(direction) * sin(way)
    let ahead = cos(here) * cos(way) - sin(here) * sin(way) * cos(direction)
    // The latitude is computed with `atan2`, because the arc sine of `north` would be inaccurate
    // near the poles.
    let latitude = atan2(north, (east * east + ahead * ahead).squareRoot())
    let turned = atan2(east * cos(here), cos(way) - sin(here) * north)
    return Coordinate(
      onEarth: min(90, max(-90, Sphere.degrees(latitude))),
      Sphere.normalized(longitude + Sphere.degrees(turned)))
  }
}
