import Foundation

/// The corners of a polygon on a plane of degrees, unwrapped from the first one.
///
/// Edges are straight lines in latitude and longitude, as a map draws them, and do not follow great circles. Longitudes
/// continue beyond the date line: 179, then 181.
struct Outline {
  struct Point: Hashable {
    var x: Double
    var y: Double
  }

  let points: [Point]
  /// By how many degrees the way around has turned about the earth: 0, unless there is a pole in it.
  let turn: Double

  /// How near to an edge a point counts as on it: a tenth of a millimetre, for rounding errors beyond the date line.
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

  /// The shorter way from one meridian to another, in degrees.
  private static func step(from: Double, to: Double) -> Double {
    Sphere.normalized(to - from)
  }

  /// Each corner with the next one, the last one with the first.
  var edges: [(Point, Point)] {
    guard let first = points.first else { return [] }
    return Array(zip(points, points.dropFirst() + [first]))
  }

  /// From the westernmost to the easternmost corner; nil where there is none.
  var xs: ClosedRange<Double>? {
    guard let west = points.map(\.x).min(), let east = points.map(\.x).max() else { return nil }
    return west...east
  }

  /// From the southernmost to the northernmost corner; nil where there is none.
  var ys: ClosedRange<Double>? {
    guard let south = points.map(\.y).min(), let north = points.map(\.y).max() else { return nil }
    return south...north
  }

  /// Whether a place is inside or on the border.
  func contains(_ place: Coordinate) -> Bool {
    images(of: place).contains { isOnBorder($0) || isInside($0) }
  }

  /// The place where the outline may see it: at its longitude, and whole turns away.
  func images(of place: Coordinate) -> [Point] {
    [-360, 0, 360].map { Point(x: place.longitude + $0, y: place.latitude) }
  }

  /// Whether a ray to the east crosses an odd number of edges.
  ///
  /// Source: W. R. Franklin, PNPOLY (1970). Edges are half open in latitude, so that a corner counts once and
  /// a level edge never.
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

  /// The point of an edge that is nearest to another; an edge without length is its corner.
  ///
  /// - Parameter width: of a degree of longitude, where one of latitude is 1.
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
  /// How far it is from a place to the border, in metres.
  ///
  /// The nearest point is found on a plane that touches the earth at the place: right to a metre within a
  /// kilometre, and near enough for a list of groups further out.
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
