import Foundation
import Presence
import TestSupport

/// Random shapes and places that a test can reproduce.
///
/// `BATON_TEST_SEED` sets the seed.
struct ShapeDice: RandomNumberGenerator, CustomStringConvertible {
  private let randomness = Randomness()
  private var generator: SeededGenerator

  init() { generator = randomness.generator }

  var description: String { "\(randomness)" }

  mutating func next() -> UInt64 { generator.next() }

  /// Returns a place in a range of degrees.
  ///
  /// A longitude past the date line is converted to the other side.
  mutating func place(
    in latitudes: ClosedRange<Double>, _ longitudes: ClosedRange<Double>
  ) -> Coordinate {
    let longitude = Double.random(in: longitudes, using: &self)
    return .at(.random(in: latitudes, using: &self), longitude > 180 ? longitude - 360 : longitude)
  }

  /// Returns a circle or a polygon: in a town with many others, on the date line, near a pole, or
  /// anywhere.
  mutating func shape() -> GroupShape {
    let middle =
      switch Int.random(in: 0..<8, using: &self) {
      case 0: place(in: -60...60, 179.9...180.1)
      case 1: place(in: 88...89.5, -180...180)
      case 2: place(in: -89.5 ... -88, -180...180)
      case 3: place(in: -85...85, -180...180)
      default: place(in: 52.3...52.7, 13...13.8)
      }
    // Small and large shapes are equally frequent.
    let size = exp(Double.random(in: log(25)...log(50_000), using: &self))
    if Bool.random(using: &self) { return .circle(center: middle, radius: size) }
    return .polygon(star(around: middle, size))
  }

  /// Returns corners in all directions from a place, at random distances.
  ///
  /// The edges never cross.
  private mutating func star(around middle: Coordinate, _ size: Double) -> [Coordinate] {
    let count = Int.random(in: 3...20, using: &self)
    let corners = (0..<count).map { number in
      middle.moved(
        by: size * .random(in: 0.2...1, using: &self), bearing: 360 * Double(number) / Double(count)
      )
    }
    // Near a pole, edges that are straight there can cross on the map, or cross the pole.
    if (try? GroupShape.polygon(corners).check()) != nil { return corners }
    return [0, 90, 180].map { middle.moved(by: min(size, 5_000), bearing: $0) }
  }

  /// Returns a place in a shape, near its boundary, or farther away.
  mutating func place(around shape: GroupShape) -> Coordinate {
    let bearing = Double.random(in: 0...360, using: &self)
    switch shape {
    case .circle(let center, let radius):
      return center.moved(by: radius * .random(in: 0...2, using: &self), bearing: bearing)
    case .polygon(let corners):
      let corner = corners[Int.random(in: corners.indices, using: &self)]
      let middle = shape.center ?? corner
      let reach = middle.distance(to: corner)
      if Bool.random(using: &self) {
        return middle.moved(by: reach * .random(in: 0...1.5, using: &self), bearing: bearing)
      }
      return corner.moved(by: exp(.random(in: 0...log(60_000), using: &self)), bearing: bearing)
    }
  }
}
