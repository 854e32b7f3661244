import Foundation

/// Ranges of latitudes and longitudes that contain a shape.
///
/// A search for nearby places uses an index on the places' bounding boxes to find candidates. Exact
/// distances are computed only for the candidates, not for all places.
public struct BoundingBox: Hashable, Sendable {
  /// The range of latitudes from south to north, within -90 to 90 degrees.
  public let latitudes: ClosedRange<Double>
  /// The ranges of longitudes within -180 to 180 degrees: one range, or two ranges if the box
  /// crosses the date line.
  public let longitudes: [ClosedRange<Double>]

  /// The margin for rounding errors on each side of the box, in degrees (0.1 mm on the ground).
  private static let margin = 1e-9

  /// Creates a box from ranges that may extend beyond a pole or the date line.
  ///
  /// - Parameters:
  ///   - ys: The range of latitudes. The part of the latitude range that lies beyond a pole is
  ///     removed.
  ///   - xs: The range of longitudes, which may extend beyond -180 or 180 degrees.
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

  /// Creates a box that contains all places within a given distance of a place.
  ///
  /// The circle's easternmost and westernmost points have a longitude difference of asin(sin(r) /
  /// cos(latitude)) from the center. The formula is from section 3 of Matuschek, "Finding Points
  /// Within a Distance of a Latitude/Longitude Using Bounding Coordinates" (2010).
  public init(around center: Coordinate, radius: Double) {
    let way = max(0, radius) / Sphere.radius
    let height = Sphere.degrees(way)
    let ys = (center.latitude - height)...(center.latitude + height)
    guard ys.lowerBound > -90, ys.upperBound < 90 else {
      // If the circle contains a pole, it touches every meridian.
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
