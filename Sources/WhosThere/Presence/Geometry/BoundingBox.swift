import Foundation

/// Ranges of latitudes and longitudes that contain something.
///
/// With it an index finds what may be near; then the distance decides.
public struct BoundingBox: Hashable, Sendable {
  /// From the southernmost to the northernmost, within -90 to 90.
  public let latitudes: ClosedRange<Double>
  /// One range within -180 to 180, or two where the date line is between them.
  public let longitudes: [ClosedRange<Double>]

  /// Added on each side against what arithmetic loses: a tenth of a millimetre.
  private static let margin = 1e-9

  /// A box that may reach over a pole or over the date line.
  ///
  /// - Parameters:
  ///   - ys: latitudes; the part beyond a pole is cut off.
  ///   - xs: longitudes, which may go beyond 180 on either side.
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

  /// The box of all places within a distance of one.
  ///
  /// Meridians touch the circle where it is asin(sin(r) / cos(latitude)) away, which is further than due east.
  /// Source: J. P. Matuschek, Finding Points Within a Distance of a Latitude/Longitude Using Bounding
  /// Coordinates (2010), section 3.
  public init(around center: Coordinate, radius: Double) {
    let way = max(0, radius) / Sphere.radius
    let height = Sphere.degrees(way)
    let ys = (center.latitude - height)...(center.latitude + height)
    guard ys.lowerBound > -90, ys.upperBound < 90 else {
      // There is a pole in the circle, and with it every meridian.
      self.init(ys: ys, xs: -180...180)
      return
    }
    let width = Sphere.degrees(asin(min(1, sin(way) / cos(Sphere.radians(center.latitude)))))
    self.init(ys: ys, xs: (center.longitude - width)...(center.longitude + width))
  }

  /// Whether a place is in it.
  public func contains(_ place: Coordinate) -> Bool {
    latitudes.contains(place.latitude) && longitudes.contains { $0.contains(place.longitude) }
  }
}
