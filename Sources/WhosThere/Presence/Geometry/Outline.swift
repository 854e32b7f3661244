import Foundation

/// The corners of a polygon in a plane of longitude and latitude.
///
/// Longitudes continue beyond the date line, for example from 179 to 181.
///
/// Edges are straight lines in latitude and longitude, as on a map, and not great circles.
struct Outline {
  struct Point: Hashable {
    var x: Double
    var y: Double
  }

  let points: [Point]
  /// The sum of all edges' longitude differences in degrees, which is 0 unless the outline contains
  /// a pole.
  let turn: Double

  /// The maximum distance, in degrees, at which a point counts as being on an edge.
  ///
  /// The distance corresponds to 0.1 mm on the ground and allows for rounding errors.
  static let border = 1e-9

  init(_ corners: [Coordinate]) {
    var points: [Point] = []
    for corner in corners {
      let x = points.last.map { $0.x + Self.step(from: $0.x, to: corner.longitude) }
      points.append(Point(x: x ?? corner.longitude, y: corner.latitude))
    }
    self.points = points
    guard let first = points.first, let last = points.last else {
      turn = 0
      return
    }
    turn = last.x + Self.step(from: last.x, to: first.x) - first.x
  }

  /// Returns the longitude difference, in degrees, of the shorter way from one meridian to another.
  private static func step(from: Double, to: Double) -> Double {
    Sphere.normalized(to - from)
  }

  /// The edges of the polygon.
  ///
  /// Each edge connects a corner to the next one, and the last edge connects the last corner to the
  /// first.
  var edges: [(Point, Point)] {
    guard let first = points.first else { return [] }
    return Array(zip(points, points.dropFirst() + [first]))
  }

  /// The range of longitudes from the westernmost to the easternmost corner, or nil if the outline
  /// has no corners.
  var xs: ClosedRange<Double>? {
    guard let west = points.map(\.x).min(), let east = points.map(\.x).max() else { return nil }
    return west...east
  }

  /// The range of latitudes from the southernmost to the northernmost corner, or nil if the outline
  /// has no corners.
  var ys: ClosedRange<Double>? {
    guard let south = points.map(\.y).min(), let north = points.map(\.y).max() else { return nil }
    return south...north
  }

  /// Returns whether a place is inside the outline or on its boundary.
  func contains(_ place: Coordinate) -> Bool {
    images(of: place).contains { isOnBorder($0) || isInside($0) }
  }

  /// Returns three points: the place itself, the place 360 degrees to the west, and the place 360
  /// degrees to the east.
  ///
  /// The longitudes of an outline may exceed 180 degrees, so the outline may contain the place only
  /// after a shift by 360 degrees.
  func images(of place: Coordinate) -> [Point] {
    [-360, 0, 360].map { Point(x: place.longitude + $0, y: place.latitude) }
  }

  /// Returns whether a ray that runs east from a point crosses an odd number of edges.
  ///
  /// Source: W. R. Franklin, PNPOLY (1970). An edge includes the latitude of its southern end, but
  /// not that of its northern end. If the outline crosses the ray at a corner, exactly one of the
  /// corner's two edges is counted. A horizontal edge is never counted.
  private func isInside(_ point: Point) -> Bool {
    var isInside = false
    for (from, to) in edges where (from.y > point.y) != (to.y > point.y) {
      let x = from.x + (point.y - from.y) / (to.y - from.y) * (to.x - from.x)
      if point.x < x { isInside.toggle() }
    }
    return isInside
  }

  private func isOnBorder(_ point: Point) -> Bool {
    edges.contains { edge in
      let nearest = Self.nearest(to: point, on: edge, widthOfDegree: 1)
      let (x, y) = (nearest.x - point.x, nearest.y - point.y)
      return x * x + y * y <= Self.border * Self.border
    }
  }

  /// Returns the point on an edge that is nearest to another point.
  ///
  /// If the edge has length 0, the result is the edge's corner.
  ///
  /// - Parameter width: The length of a degree of longitude relative to a degree of latitude.
  static func nearest(
    to point: Point, on edge: (Point, Point), widthOfDegree width: Double
  ) -> Point {
    let (from, to) = edge
    let (x, y) = ((to.x - from.x) * width, to.y - from.y)
    let square = x * x + y * y
    guard square > 0 else { return from }
    let along = ((point.x - from.x) * width * x + (point.y - from.y) * y) / square
    let part = min(1, max(0, along))
    return Point(x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y))
  }
}

extension Outline {
  /// Returns the distance from a place to the outline's boundary in meters.
  ///
  /// The nearest point is computed on a plane that touches the earth at the place. A computed
  /// distance of at most 1 km is wrong by at most 1 m. A computed distance of more than 1 km is
  /// accurate enough for sorting a list of groups.
  func distanceToBorder(from place: Coordinate) -> Double {
    let width = cos(Sphere.radians(place.latitude))
    let distances = images(of: place).flatMap { image in
      edges.map { edge in
        let nearest = Self.nearest(to: image, on: edge, widthOfDegree: width)
        return place.distance(to: Coordinate(onEarth: nearest.y, Sphere.normalized(nearest.x)))
      }
    }
    return distances.min() ?? .infinity
  }
}
