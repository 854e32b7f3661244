import Foundation
import Presence
import TestDice
import Testing

/// Tests distances, circles and boxes on a sphere.
@Suite struct GeometryTests {
  /// Returns a random place, with equal probability everywhere.
  private static func place(_ dice: inout Dice) -> Coordinate {
    let height = Double.random(in: -1...1, using: &dice)
    return .known(asin(height) * 180 / .pi, .random(in: -180...180, using: &dice))
  }

  @Test(
    arguments: [
      (90.1, 0.0), (-90.1, 0), (0, 180.1), (0, -180.1), (.nan, 0), (0, .nan), (.infinity, 0),
      (0, -.infinity),
    ] as [(Double, Double)])
  func `what is not on the earth is an error`(latitude: Double, longitude: Double) {
    #expect(throws: AppError.self) { try Coordinate(latitude: latitude, longitude: longitude) }
  }

  @Test(
    arguments: [
      // A degree of latitude, a quarter of the way around, from pole to pole, and to the opposite
      // side.
      (0.0, 0.0, 1.0, 0.0, 111_195.08), (0, 0, 0, 90, 10_007_557.2),
      (90, 0, -90, 0, 20_015_114.4), (0, 0, 0, 180, 20_015_114.4),
      // Across the date line, both names of its meridian, and a pole, which has all longitudes.
      (0, 179.5, 0, -179.5, 111_195.08), (10, 180, 10, -180, 0), (90, 10, 90, 200 - 360, 0),
      // From Berlin to Paris.
      (52.52, 13.405, 48.8566, 2.3522, 877_464.6),
    ] as [(Double, Double, Double, Double, Double)])
  func `distances are known`(
    north: Double, east: Double, otherNorth: Double, otherEast: Double, metres: Double
  ) {
    let (one, other) = (Coordinate.known(north, east), Coordinate.known(otherNorth, otherEast))
    #expect(abs(one.distance(to: other) - metres) < 0.1, "\(one.distance(to: other))")
    #expect(abs(other.distance(to: one) - one.distance(to: other)) < 1e-6)
    #expect(one.distance(to: one) == 0)
  }

  @Test func `a place moved by a distance is at that distance`() {
    var dice = Dice()
    for _ in 0..<5_000 {
      let place = Self.place(&dice)
      let metres = pow(10, Double.random(in: -1...7.3, using: &dice))
      let moved = place.moved(by: metres, bearing: .random(in: 0..<360, using: &dice))
      #expect(-90...90 ~= moved.latitude && -180...180 ~= moved.longitude)
      let error = abs(place.distance(to: moved) - metres)
      #expect(error < max(1e-3, metres * 1e-6), "\(dice) \(place) \(metres) \(error)")
    }
  }

  @Test func `a way around any three places is no shorter than the straight one`() {
    var dice = Dice()
    for _ in 0..<2_000 {
      let (one, two, three) = (Self.place(&dice), Self.place(&dice), Self.place(&dice))
      let around = one.distance(to: two) + two.distance(to: three)
      #expect(one.distance(to: three) <= around + 1e-3, "\(dice)")
    }
  }

  @Test func `a circle has what is within its radius, everywhere on the earth`() {
    var dice = Dice()
    for _ in 0..<2_000 {
      let center = Self.place(&dice)
      let radius = Double.random(in: 25...50_000, using: &dice)
      let shape = GroupShape.circle(center: center, radius: radius)
      let bearing = Double.random(in: 0..<360, using: &dice)
      #expect(shape.contains(center.moved(by: radius - 0.01, bearing: bearing)), "\(dice)")
      let outside = center.moved(by: radius + 30, bearing: bearing)
      #expect(!shape.contains(outside) && !shape.contains(outside, accuracy: 29.9), "\(dice)")
      #expect(shape.contains(outside, accuracy: 30.1), "\(dice)")
      #expect(abs(shape.distance(to: outside) - 30) < 0.01, "\(dice)")
    }
  }

  @Test func `a radius is from 25 to 50,000 metres`() {
    for radius in [0, 24.9, 50_000.1, -100, .nan, .infinity] {
      #expect(throws: AppError.self) {
        try GroupShape.circle(center: Sample.berlin, radius: radius).check()
      }
    }
    for radius in [25.0, 50_000] {
      #expect(throws: Never.self) {
        try GroupShape.circle(center: Sample.berlin, radius: radius).check()
      }
    }
  }

  @Test func `a circle's box has all of it, over poles and the date line too`() {
    var dice = Dice()
    for number in 0..<2_000 {
      var center = Self.place(&dice)
      // Every second center is at a place where boxes are difficult.
      if number % 4 == 1 { center = .known(center.latitude, 179.9) }
      if number % 4 == 3 { center = .known(89.8, center.longitude) }
      let radius = Double.random(in: 25...50_000, using: &dice)
      let box = BoundingBox(around: center, radius: radius)
      for _ in 0..<5 {
        let place = center.moved(by: radius, bearing: .random(in: 0..<360, using: &dice))
        #expect(box.contains(place), "\(dice) \(center) \(radius) \(place)")
      }
    }
  }

  @Test func `a box is no larger than it has to be`() throws {
    let degree = BoundingBox(around: .known(0, 0), radius: 111_195)
    #expect(!degree.contains(.known(1.001, 0)) && !degree.contains(.known(0, 1.001)))
    #expect(degree.contains(.known(0.999, 0.999)) && degree.longitudes.count == 1)
    let west = BoundingBox(around: .known(0, -179.9), radius: 50_000)
    #expect(west.longitudes.count == 2)
    #expect(west.contains(.known(0, 179.7)) && !west.contains(.known(0, 179.6)))
    #expect(!west.contains(.known(0, 0)))
    let pole = BoundingBox(around: .known(-89.9, 20), radius: 50_000)
    #expect(pole.longitudes == [-180...180] && pole.latitudes.lowerBound == -90)
    #expect(pole.contains(.known(-89.7, -160)) && !pole.contains(.known(-89.3, 20)))
    // A meridian touches a circle at a longitude farther east than the circle's east point.
    let north = BoundingBox(around: .known(80, 0), radius: 50_000)
    let east = Coordinate.known(80, 0).moved(by: 50_000, bearing: 90)
    #expect(try #require(north.longitudes.first).upperBound > east.longitude)
  }

  @Test func `speed is distance by time, and nobody is at two places at once`() throws {
    func claim(_ place: Coordinate, _ seconds: TimeInterval) throws -> ClaimedPosition {
      try ClaimedPosition(coordinate: place, accuracy: 5, at: Sample.at(seconds))
    }
    let here = try claim(Sample.berlin, 0)
    let there = Sample.berlin.moved(by: 1_000, bearing: 45)
    #expect(abs(try here.speed(to: claim(there, 10)) - 100) < 0.001)
    #expect(abs(try here.speed(to: claim(there, -10)) - 100) < 0.001)
    #expect(try here.speed(to: claim(there, 0)) == .infinity)
    #expect(try here.speed(to: claim(Sample.berlin, 0)) == 0)
    for accuracy in [-1, .nan, .infinity] {
      #expect(throws: AppError.self) {
        try ClaimedPosition(coordinate: there, accuracy: accuracy, at: Sample.instant)
      }
    }
  }
}
