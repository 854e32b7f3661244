/// Checks whether an outline is a simple polygon.
///
/// In a simple polygon, an edge touches only its two neighboring edges, and only at the corners
/// that they share.
extension Outline {
  /// Whether no edge crosses, touches or reverses another edge, and no edge has length 0.
  var isSimple: Bool {
    let edges = edges
    guard edges.count >= 3 else { return false }
    for (index, edge) in edges.enumerated() {
      guard edge.0 != edge.1 else { return false }
      for other in (index + 1)..<edges.count {
        let isNext = other == index + 1
        let isPrevious = index == 0 && other == edges.count - 1
        if isNext && Self.foldsBack(edge.0, edge.1, edges[other].1) { return false }
        if isPrevious && Self.foldsBack(edges[other].0, edge.0, edge.1) { return false }
        if !isNext && !isPrevious && Self.touch(edge, edges[other]) { return false }
      }
    }
    return true
  }

  /// Returns a positive number if the third point is to the left of the line from the first point
  /// to the second.
  ///
  /// The `side` and `touch` functions follow section 1.3 of O'Rourke, "Computational Geometry in C"
  /// (1998).
  private static func side(_ from: Point, _ to: Point, _ point: Point) -> Double {
    (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
  }

  /// Returns whether the path from the first to the last point reverses its direction at the
  /// corner.
  private static func foldsBack(_ from: Point, _ corner: Point, _ to: Point) -> Bool {
    let (x, y) = (from.x - corner.x, from.y - corner.y)
    return side(from, corner, to) == 0 && x * (to.x - corner.x) + y * (to.y - corner.y) > 0
  }

  private static func touch(_ one: (Point, Point), _ other: (Point, Point)) -> Bool {
    let first = side(one.0, one.1, other.0), second = side(one.0, one.1, other.1)
    let third = side(other.0, other.1, one.0), fourth = side(other.0, other.1, one.1)
    if first.sign != second.sign, third.sign != fourth.sign,
      ![first, second, third, fourth].contains(0)
    {
      return true
    }
    return first == 0 && isBetween(one, other.0) || second == 0 && isBetween(one, other.1)
      || third == 0 && isBetween(other, one.0) || fourth == 0 && isBetween(other, one.1)
  }

  /// Returns whether a point on the line through an edge is also on the edge.
  private static func isBetween(_ edge: (Point, Point), _ point: Point) -> Bool {
    min(edge.0.x, edge.1.x)...max(edge.0.x, edge.1.x) ~= point.x
      && min(edge.0.y, edge.1.y)...max(edge.0.y, edge.1.y) ~= point.y
  }
}
