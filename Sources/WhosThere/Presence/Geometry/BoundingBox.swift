import Foundation

/// Ranges of latitudes and longitudes that contain a shape.
///
/// An index search with the ranges finds the candidates, whose exact distance is then computed.
public struct BoundingBox: Hashable, Sendable {
  /// The latitudes from south to north, from -90 to 90 degrees.
  public let latitudes: ClosedRange<Double>
  /// One range of longitudes from -180 to 180 degrees, or two ranges if the box crosses the date
  /// line.
  public let longitudes: [ClosedRange<Double>]

  /// The margin in degrees that is added on each side against rounding errors: 0.1 mm on the
  /// ground.
  private static let margin = 1e-9

  /// Creates a box that may extend beyond a pole or the date line.
  ///
  /// - Parameters:
  ///   - ys: The latitudes. The part beyond a pole is removed.
  ///   - xs: The longitudes, which may extend beyond 180 degrees on either side.
  init(ys: ClosedRange<Double>, xs: ClosedRange<Double>) {
    latitudes = max(-90, ys.lowerBound - Self.margin)...min(90, ys.upperBound + Self.margin)
    let (west, east) = (xs.lowerBound - Self.margin, xs.upperBound + Self.margin)
    let (left, right) = (Sphere.normalized(west), Sphere.normalized(east))
    if east - west >= 360 {
      longitudes = [-180...180]
    } else if left <= right {
      longitudes = [left...right]
    } else {
      longitudes = [left...180, -180...right]
    }
  }

  /// Creates a box of all places within a distance of a place.
  ///
  /// The outermost meridians touch the circle at a longitude difference of asin(sin(r) /
  /// cos(latitude)), which is further than due east. Source: J. P. Matuschek, Finding Points Within
  /// a Distance of a Latitude/Longitude Using Bounding Coordinates (2010), section 3.
  public init(around center: Coordinate, radius: Double) {
    let way = max(0, radius) / Sphere.radius
    let height = Sphere.degrees(way)
    let ys = (center.latitude - height)...(center.latitude + height)
    guard ys.lowerBound > -90, ys.upperBound < 90 else {
      // The circle contains a pole and therefore touches every meridian.
      self.init(ys: ys, xs: -180...180)
      return
    }
    let width = Sphere.degrees(asin(min(1, sin(way) / cos(Sphere.radians(center.latitude)))))
    self.init(ys: ys, xs: (center.longitude - width)...(center.longitude + width))
  }

  /// Returns whether the box contains a place.
  public func contains(_ place: Coordinate) -> Bool {
    latitudes.contains(place.latitude) && longitudes.contains { $0.contains(place.longitude) }
  }
}
