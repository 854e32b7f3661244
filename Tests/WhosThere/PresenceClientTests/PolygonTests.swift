import Foundation
import Presence
import TestDice
import Testing

/// Tests which places are inside a polygon, on its boundary, and outside.
@Suite struct PolygonTests {
  /// Returns a shape with these corners, latitude before longitude.
  private static func shape(_ corners: [(Double, Double)]) -> GroupShape {
    .polygon(corners.map { .known($0.0, $0.1) })
  }

  /// Returns the same corners farther east, if necessary across the date line.
  private static func moved(_ corners: [(Double, Double)], east: Double) -> [(Double, Double)] {
    corners.map { (north, longitude) in
      let moved = (longitude + east + 540).truncatingRemainder(dividingBy: 360) - 180
      return (north, moved)
    }
  }

  /// The letter C, open to the east.
  ///
  /// A place in its opening is outside.
  private static let letter: [(Double, Double)] = [
    (0, 0), (0, 3), (1, 3), (1, 1), (2, 1), (2, 3), (3, 3), (3, 0),
  ]

  @Test(arguments: [0.0, 178.5, 179.25, -179.5, 177])
  func `a polygon has its inside and its border, the date line or not`(east: Double) {
    let shape = Self.shape(Self.moved(Self.letter, east: east))
    let inside: [(Double, Double)] = [(0.5, 0.5), (1.5, 0.5), (0.5, 2.9), (2.9, 2.9)]
    // Corners, and the middle of each kind of edge.
    let border: [(Double, Double)] = [
      (0, 0), (3, 3), (1, 1), (2, 1), (0, 1.5), (1.5, 0), (1.5, 1), (1, 2), (0.5, 3),
    ]
    let outside: [(Double, Double)] = [
      (1.5, 2), (1.5, 1.001), (-0.001, 1), (3.001, 1), (1, 3.001), (0, -0.001), (1.5, 60),
    ]
    for place in Self.moved(inside, east: east) + Self.moved(border, east: east) {
      #expect(shape.contains(.known(place.0, place.1)), "\(place)")
    }
    for place in Self.moved(outside, east: east) {
      #expect(!shape.contains(.known(place.0, place.1)), "\(place)")
    }
  }

  @Test func `a polygon that is turned or moved over the date line has what it had`() throws {
    var dice = Dice()
    for number in 0..<100 {
      let corners = Self.star(&dice)
      let shape = Self.shape(corners)
      #expect(throws: Never.self, "\(dice)") { try shape.check() }
      // Every second shape is on the date line.
      let anywhere = Double.random(in: -360...360, using: &dice)
      let east = number % 2 == 0 ? anywhere : anywhere / 300 + 180
      let first = Int.random(in: corners.indices, using: &dice)
      let turned = Array(corners[first...] + corners[..<first])
      let others = [
        Self.shape(Self.moved(corners, east: east)), Self.shape(Self.moved(turned, east: east)),
        Self.shape(Self.moved(turned.reversed(), east: east)),
      ]
      for _ in 0..<8 {
        let place = (
          Double.random(in: 8...12, using: &dice), Double.random(in: -2...2, using: &dice)
        )
        let (north, longitude) = Self.moved([place], east: east)[0]
        for other in others {
          #expect(throws: Never.self, "\(dice)") { try other.check() }
          #expect(
            other.contains(.known(north, longitude)) == shape.contains(.known(place.0, place.1)),
            "\(dice) \(corners) \(place) \(east)")
        }
      }
    }
  }

  /// Returns corners around 10 degrees north at random distances, sorted by direction, so that the
  /// edges never cross.
  private static func star(_ dice: inout Dice) -> [(Double, Double)] {
    let count = Int.random(in: 3...12, using: &dice)
    return (0..<count).map { number in
      let direction = 2 * Double.pi * Double(number) / Double(count)
      let length = Double.random(in: 0.3...1.8, using: &dice)
      return (10 + length * cos(direction), length * sin(direction))
    }
  }

  @Test func `what is inside is the same as by the angles under which the corners are seen`() {
    var dice = Dice()
    for _ in 0..<400 {
      let corners = Self.star(&dice)
      let shape = Self.shape(corners)
      for _ in 0..<8 {
        let (y, x) = (
          Double.random(in: 8...12, using: &dice), Double.random(in: -2...2, using: &dice)
        )
        let angles = zip(corners, corners.dropFirst() + [corners[0]]).map { from, to in
          let turn = atan2(to.0 - y, to.1 - x) - atan2(from.0 - y, from.1 - x)
          return turn > .pi ? turn - 2 * .pi : turn < -.pi ? turn + 2 * .pi : turn
        }
        let isInside = abs(angles.reduce(0, +)) > .pi
        #expect(shape.contains(.known(y, x)) == isInside, "\(dice) \(corners) \(y) \(x)")
      }
    }
  }

  @Test func `edges without length and corners on a line change nothing`() {
    let plain = Self.shape([(0, 0), (0, 2), (2, 2), (2, 0)])
    let more = Self.shape([(0, 0), (0, 0), (0, 1), (0, 2), (2, 2), (2, 2), (2, 0), (0, 0)])
    for north in stride(from: -0.5, through: 2.5, by: 0.25) {
      for east in stride(from: -0.5, through: 2.5, by: 0.25) {
        let place = Coordinate.known(north, east)
        #expect(plain.contains(place) == more.contains(place), "\(place)")
        #expect(plain.contains(place) == (0...2 ~= north && 0...2 ~= east))
      }
    }
    #expect(!GroupShape.polygon([]).contains(.known(0, 0)))
    #expect(GroupShape.polygon([]).boundingBox == nil && GroupShape.polygon([]).center == nil)
  }

  @Test func `the doubt of a place speaks for it`() {
    let shape = Self.shape([(50, 10), (50, 10.1), (50.1, 10.1), (50.1, 10)])
    let border = Coordinate.known(50.05, 10)
    for metres in [1.0, 20, 150, 1_000] {
      let outside = border.moved(by: metres, bearing: 270)
      #expect(!shape.contains(outside) && !shape.contains(outside, accuracy: metres * 0.99))
      #expect(shape.contains(outside, accuracy: metres * 1.01))
      #expect(abs(shape.distance(to: outside) - metres) < metres / 100)
      #expect(!shape.contains(outside, accuracy: -metres * 2))
    }
    #expect(shape.distance(to: .known(50.05, 10.05)) == 0)
    let seam = Self.shape([(0, 179.9), (0, -179.9), (0.1, -179.9), (0.1, 179.9)])
    #expect(abs(seam.distance(to: .known(0.05, -179.8)) - 11_119) < 12)
    #expect(abs(seam.distance(to: .known(0.05, 179.8)) - 11_119) < 12)
  }

  @Test func `a polygon's box and middle are where it is`() throws {
    let seam = Self.shape([(0, 179), (0, -179), (1, -179), (1, 179)])
    let box = try #require(seam.boundingBox)
    #expect(box.longitudes.count == 2 && box.contains(.known(0.5, 180)))
    #expect(box.contains(.known(0, 179)) && box.contains(.known(1, -179)))
    #expect(!box.contains(.known(0.5, 178.9)) && !box.contains(.known(0.5, 0)))
    let middle = try #require(seam.center)
    #expect(abs(abs(middle.longitude) - 180) < 1e-9 && middle.latitude == 0.5)
    #expect(GroupShape.circle(center: Sample.berlin, radius: 30).center == Sample.berlin)
  }

  @Test(
    arguments: [
      // Two corners; a repeated corner; a line in both directions; crossing edges; edges that touch
      // a corner, touch another edge, or run along another edge.
      [(0.0, 0.0), (1, 1)], [(0, 0), (0, 0), (1, 1), (0, 1)], [(0, 0), (1, 1), (2, 2)],
      [(0, 0), (1, 1), (0, 1), (1, 0)], [(0, 0), (0, 2), (1, 1), (2, 2), (2, 0), (1, 1)],
      [(0, 0), (0, 2), (1, 2), (0, 1), (1, 0)],
      [(0, 0), (0, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 0)],
      // Edges in both directions at the end of the first edge, and at the end of the last edge.
      [(0, 0), (0, 2), (0, 1), (1, 1)], [(0, 1), (1, 1), (0, 0), (0, 2)],
      // Shapes around a pole, at a pole, across a pole by half a turn, and wider than 500 km.
      [(89, 0), (88.5, 120), (89.2, -120)], [(90, 0), (89, 0), (89, 10)],
      [(89, 0), (89, 180), (89.5, 90)],
      [(0, 0), (0, 5), (1, 5)], [],
    ] as [[(Double, Double)]])
  func `what is not a polygon is refused`(corners: [(Double, Double)]) {
    #expect(throws: AppError.self) { try Self.shape(corners).check() }
  }

  @Test func `a polygon has from 3 to 100 corners, near a pole too`() {
    func round(_ count: Int) -> [(Double, Double)] {
      (0..<count).map {
        let direction = 2 * Double.pi * Double($0) / Double(count)
        return (sin(direction), cos(direction))
      }
    }
    #expect(throws: Never.self) { try Self.shape(round(100)).check() }
    #expect(throws: AppError.self) { try Self.shape(round(101)).check() }
    #expect(throws: Never.self) { try Self.shape(round(3)).check() }
    #expect(throws: Never.self) { try Self.shape([(89, 0), (89, 50), (89.5, 20)]).check() }
    #expect(throws: Never.self) { try Self.shape([(-89, 170), (-89, -140), (-89.5, 180)]).check() }
  }
}
