/// The shape of the place where a group meets.
///
/// Code can create an invalid shape, because only the `check` method rejects all invalid shapes.
/// Decoding checks only coordinates, a circle's radius and the number of a polygon's corners.
public enum GroupShape: Hashable, Sendable {
  /// A circle with a center and a radius in meters.
  case circle(center: Coordinate, radius: Double)
  /// A polygon with the given corners, in which the last corner is connected to the first.
  case polygon([Coordinate])

  /// The valid radii of a circle, in meters.
  public static let radii = 25.0...50_000.0
  /// The valid numbers of polygon corners.
  public static let cornerCounts = 3...100
  /// The maximum distance between two corners in meters.
  public static let widest = 500_000.0

  /// Checks whether a group may have the shape.
  ///
  /// - Throws: `invalidInput` with a reason if the shape is invalid.
  public func check() throws(AppError) {
    if let problem { throw .invalidInput(problem) }
  }

  private var problem: String? {
    if let sizeProblem { return sizeProblem }
    guard case .polygon(let corners) = self else { return nil }
    return Self.problem(of: corners)
  }

  private var sizeProblem: String? {
    switch self {
    case .circle(_, let radius):
      Self.radii ~= radius ? nil : "a radius is from 25 to 50,000 metres"
    case .polygon(let corners):
      Self.cornerCounts ~= corners.count ? nil : "a polygon has from 3 to 100 corners"
    }
  }

  private static func problem(of corners: [Coordinate]) -> String? {
    let outline = Outline(corners)
    // The direction of an edge that spans 180 degrees of longitude would be ambiguous.
    guard outline.edges.dropLast().allSatisfy({ abs($1.x - $0.x) < 180 }),
      abs(Sphere.normalized(corners[0].longitude - corners[corners.count - 1].longitude)) < 180,
      abs(outline.turn) < 180, corners.allSatisfy({ abs($0.latitude) < 90 })
    else { return "a polygon does not reach over a pole" }
    guard let xs = outline.xs, xs.upperBound - xs.lowerBound < 360 else {
      return "a polygon does not go around the earth"
    }
    for (index, corner) in corners.enumerated() {
      guard corners[index...].allSatisfy({ corner.distance(to: $0) <= widest }) else {
        return "a polygon is at most 500 km across"
      }
    }
    return outline.isSimple ? nil : "the edges of a polygon do not cross, touch or repeat"
  }
}

extension GroupShape {
  /// Returns whether a place is inside the shape or on its boundary.
  public func contains(_ place: Coordinate) -> Bool { contains(place, accuracy: 0) }

  /// Returns whether a place may be inside the shape, given the place's accuracy in meters.
  public func contains(_ place: Coordinate, accuracy: Double) -> Bool {
    distance(to: place) <= max(0, accuracy)
  }

  /// Returns the distance to the shape's nearest point in meters, or 0 inside the shape.
  public func distance(to place: Coordinate) -> Double {
    switch self {
    case .circle(let center, let radius): return max(0, center.distance(to: place) - radius)
    case .polygon(let corners):
      let outline = Outline(corners)
      return outline.contains(place) ? 0 : outline.distanceToBorder(from: place)
    }
  }

  /// The shape's bounding box, or nil for a polygon without corners.
  public var boundingBox: BoundingBox? {
    switch self {
    case .circle(let center, let radius): return BoundingBox(around: center, radius: radius)
    case .polygon(let corners):
      let outline = Outline(corners)
      guard let ys = outline.ys, let xs = outline.xs else { return nil }
      return BoundingBox(ys: ys, xs: xs)
    }
  }

  /// The position of a pin on a map: the center of the circle, or the center of the polygon's
  /// bounding box.
  public var center: Coordinate? {
    switch self {
    case .circle(let center, _): return center
    case .polygon(let corners):
      let outline = Outline(corners)
      guard let ys = outline.ys, let xs = outline.xs else { return nil }
      return Coordinate(
        onEarth: (ys.lowerBound + ys.upperBound) / 2,
        Sphere.normalized((xs.lowerBound + xs.upperBound) / 2))
    }
  }
}

extension GroupShape: Codable {
  private enum CodingKeys: String, CodingKey { case type, center, radius, corners }
  private enum Kind: String, Codable { case circle, polygon }

  /// Decodes a shape.
  ///
  /// A polygon's edges are not checked. The server checks the edges before it stores a shape, and
  /// may then round a corner. After a corner is rounded, two edges can touch, and one shape that
  /// could not be decoded would make a whole list of groups unreadable.
  ///
  /// - Throws: `DecodingError` if a coordinate, the radius or the number of corners is invalid.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    switch try fields.decode(Kind.self, forKey: .type) {
    case .circle:
      self = .circle(
        center: try fields.decode(Coordinate.self, forKey: .center),
        radius: try fields.decode(Double.self, forKey: .radius))
    case .polygon:
      self = .polygon(try fields.decode([Coordinate].self, forKey: .corners))
    }
    try fields.require(sizeProblem == nil, .type, sizeProblem ?? "")
  }

  /// Encodes the shape as JSON, for example `{"type": "circle", "center": ..., "radius": ...}`.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .circle(let center, let radius):
      try fields.encode(Kind.circle, forKey: .type)
      try fields.encode(center, forKey: .center)
      try fields.encode(radius, forKey: .radius)
    case .polygon(let corners):
      try fields.encode(Kind.polygon, forKey: .type)
      try fields.encode(corners, forKey: .corners)
    }
  }
}
