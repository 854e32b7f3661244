import BatonPostgres
import Foundation
import JobTesting
import Presence
import TestSupport
import Testing

/// Tests that a phone and the server agree on places: which places are in a shape, their distances,
/// and which shapes are valid.
@Suite(.timeLimit(.minutes(5))) struct ShapeAgreementTests {
  @Test(.sampled())
  func `what can be a shape, what is in it and how far it is are the same in Swift and in SQL`()
    async throws
  {
    var dice = ShapeDice()
    try await Places.with { places in
      try await compareWhatCanBe(&dice, in: places)
      try await compareWays(&dice, in: places)
    }
  }

  private func compareWays(_ dice: inout ShapeDice, in places: Places) async throws {
    let shapes = (0..<300).map { _ in dice.shape() }
    let pairs = shapes.enumerated().flatMap { number, shape in
      (0..<4).map { _ in (number, shape, dice.place(around: shape)) }
    }
    let found = try await places.sql(
      """
      with shape as materialized (
        select s.number, read_shape(s.shape) as it
        from jsonb_array_elements('\(Self.json(shapes))') with ordinality s (shape, number)
      )
      select metres_to_group(
        jsonb_populate_record(null::groups, to_jsonb(s.it)), p.latitude, p.longitude)
      from unnest(\(Self.arrays(pairs))) with ordinality p (shape, latitude, longitude, number)
      join shape s on s.number = p.shape + 1
      order by p.number
      """)
    #expect(found.count == pairs.count)
    var inside = 0
    for (row, (_, shape, place)) in zip(found, pairs) {
      let metres = try #require(Double(row))
      let expected = shape.distance(to: place)
      let differs = abs(metres - expected)
      #expect(
        differs <= max(0.01, expected / 1000),
        "\(dice) \(shape) \(place): \(metres) m in SQL, \(expected) m in Swift")
      let isNearBorder = max(metres, expected) < 1
      #expect((metres == 0) == shape.contains(place) || isNearBorder, "\(dice) \(shape) \(place)")
      if metres == 0 { inside += 1 }
    }
    // The numbers show that both answers occur.
    #expect(inside > pairs.count / 20 && inside < pairs.count * 19 / 20, "\(dice)")
  }

  @Test(.sampled())
  func `groups nearby are those that all of them have been asked for, and found by index`()
    async throws
  {
    var dice = ShapeDice()
    let shapes = (0..<500).map { _ in dice.shape() }
    // Places near the shapes, or at the edges of the map.
    let searches =
      (0..<20).map { number in
        (dice.place(around: shapes[number * 25]), Double.random(in: 0...50_000, using: &dice))
      } + [(Coordinate.at(90, 0), 50_000.0), (.at(-90, 12), 50_000), (.at(0, 180), 50_000)]
    let ways = searches.map { place, _ in shapes.map { $0.distance(to: place) } }
    try await Places.with { places in
      try await places.accounts("ann")
      try await places.sql(
        """
        insert into groups (id, name, latitude, longitude, radius, corner_latitudes,
          corner_longitudes, is_public, time_zone)
        select s.number, 'G', it.latitude, it.longitude, it.radius, it.corner_latitudes,
          it.corner_longitudes, s.number % 3 = 0, 'UTC'
        from jsonb_array_elements('\(Self.json(shapes))') with ordinality s (shape, number)
        cross join lateral read_shape(s.shape) it
        """)
      try await places.sql(
        """
        insert into member (group_id, user_id, role, joined_at)
        select id, 'ann', 'admin', now() from groups
        """)
      try await places.accounts("bob")
      // Without this statement, a new table would have no statistics.
      try await places.sql("analyze group_area")
      for actor in ["ann", "bob"] {
        let rows = try await places.sql(
          """
          select (select string_agg(concat_ws(' ', (n.found).id, n.metres_away), ';')
            from nearby_groups('\(actor)', s.latitude, s.longitude, s.metres, 100) n)
          from unnest(\(Self.arrays(searches))) with ordinality s (latitude, longitude, metres, number)
          order by s.number
          """)
        var count = 0
        for (row, ((place, radius), ways)) in zip(rows, zip(searches, ways)) {
          let expected = ways.enumerated()
            .filter { number, way in (actor == "ann" || (number + 1) % 3 == 0) && way <= radius }
            .map { (id: "\($0.offset + 1)", metres: $0.element) }
            .sorted { ($0.metres, $0.id) < ($1.metres, $1.id) }.prefix(100)
          count += expected.count
          let found = row.split(separator: ";").map { $0.split(separator: " ") }
          #expect(
            found.map { String($0[0]) } == expected.map(\.id), "\(dice) \(actor) \(place) \(radius)"
          )
          for (way, group) in zip(found.compactMap { Double($0[1]) }, expected) {
            #expect(abs(way - group.metres) <= max(0.01, group.metres / 1000), "\(dice) \(place)")
          }
        }
        #expect(rows.count == searches.count && count > searches.count / 4, "\(dice)")
      }
      #expect(try await places.plan().contains { $0.contains("group_area_box") })
    }
  }

  /// The polygons around the date line, with corners and centers next to 180 degrees.
  ///
  /// The sum of 180 and a longitude next to 180 is rounded to 360.
  private static let shapesAtDateLine: [GroupShape] = {
    let west: [Double] = [180, 180.0.nextDown, 179.99, 179.99.nextDown, 179.99.nextUp]
    let east = west.map { -$0 }
    return (west + east).flatMap { first in
      (west + east).map { second in
        .polygon([.at(50, first), .at(50.02, second), .at(50.01, first > 0 ? 179.98 : -179.98)])
      }
    }
  }()

  @Test func `a stored polygon at the date line can be read again, and has its center on the map`()
    async throws
  {
    let shapes = Self.shapesAtDateLine
    try await Places.with { places in
      let read = Call<[(stored: String, center: Double)]>.rows(
        Statement(
          "test/shapes_at_date_line",
          """
          select shape_json(jsonb_populate_record(null::groups, to_jsonb(it)))::text, it.longitude
          from jsonb_array_elements('\(Self.json(shapes))') with ordinality s (shape, number)
          cross join lateral read_shape(s.shape) it
          order by s.number
          """)
      ) { (row) throws(PostgresError) in
        let (stored, center) = try row.decode(String.self, Double.self)
        return (stored: stored, center: center)
      }
      let connection = try await places.test.connect()
      let found = try await connection.atomically(in: places.test.schema, read)
      await connection.close()
      #expect(found.count == shapes.count)
      for (row, shape) in zip(found, shapes) {
        let again = try WireFormat.read(GroupShape.self, from: Data(row.stored.utf8))
        // The longitudes -180 and 180 are the same meridian.
        #expect(again.turnedEast == shape.turnedEast, "\(shape): \(row.stored)")
        #expect(-180...180 ~= row.center, "\(shape): \(row.center)")
        #expect(throws: Never.self) { try again.check() }
      }
    }
  }

  private func compareWhatCanBe(_ dice: inout ShapeDice, in places: Places) async throws {
    let corners: [[(Double, Double)]] = [
      [(0, 0), (0, 0), (1, 1), (0, 1)], [(0, 0), (1, 1), (2, 2)], [(0, 0), (1, 1), (0, 1), (1, 0)],
      [(0, 0), (0, 2), (1, 1), (2, 2), (2, 0), (1, 1)],
      [(0, 0), (0, 2), (1, 2), (0, 1), (1, 0)],
      [(0, 0), (0, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 0)], [(0, 0), (0, 2), (0, 1), (1, 1)],
      [(0, 1), (1, 1), (0, 0), (0, 2)], [(89, 0), (89, 120), (89, -120)],
      [(90, 0), (89, 0), (89, 10)], [(89, 0), (89, 180), (89.5, 90)], [(0, 0), (0, 5), (1, 5)],
      // A diamond: the diagonal of its box is longer than 500 km, but no two of its own corners are
      // that far apart.
      [(0, -2), (2, 0), (0, 2), (-2, 0)],
      // Around a pole, but not across it: more than half of the way, with both ends.
      [(89, 0), (89, 100), (89, -150), (89.5, -150), (89.5, 100), (89.5, 0)],
      [(89, 0), (89, 50), (89.5, 20)], [(-89, 170), (-89, -140), (-89.5, 180)],
      // A room of 1 m with a door of 5 cm.
      [
        (0, 0), (0, 1e-5), (1e-5, 1e-5), (1e-5, 5.5e-6), (9e-6, 5.5e-6), (9e-6, 5e-6), (1e-5, 5e-6),
        (1e-5, 0),
      ],
    ]
    var shapes = corners.map { GroupShape.polygon($0.map { Coordinate.at($0.0, $0.1) }) }
    // Random corners. In most of these shapes, edges cross.
    for _ in 0..<200 {
      let count = Int.random(in: 3...6, using: &dice)
      shapes.append(.polygon((0..<count).map { _ in dice.place(in: 50...50.4, 179.8...180.2) }))
      // Corners on a grid, where edges often touch.
      shapes.append(
        .polygon(
          (0..<count).map { _ in
            Coordinate.at(
              Double(Int.random(in: 0...3, using: &dice)),
              Double(Int.random(in: 0...3, using: &dice)))
          }))
    }
    try await places.sql(
      """
      create function can_be(shape jsonb) returns boolean language plpgsql as $$
      begin
        perform read_shape(shape);
        return true;
      exception when sqlstate 'ZW014' then
        return false;
      end $$
      """)
    let found = try await places.sql(
      """
      select can_be(s.shape)
      from jsonb_array_elements('\(Self.json(shapes))') with ordinality s (shape, number)
      order by s.number
      """)
    let expected = shapes.map { (try? $0.check()) == nil ? "f" : "t" }
    for (shape, (sql, swift)) in zip(shapes, zip(found, expected)) {
      #expect(sql == swift, "\(dice) \(shape)")
    }
    #expect(found.count == shapes.count && Set(found).count == 2)
  }
}

extension ShapeAgreementTests {
  /// Returns shapes in the format of clients.
  private static func json(_ shapes: [GroupShape]) -> String {
    "[\(shapes.map(\.json).joined(separator: ","))]"
  }

  private static func arrays(_ pairs: [(Int, GroupShape, Coordinate)]) -> String {
    arrays([pairs.map { Double($0.0) }, pairs.map(\.2.latitude), pairs.map(\.2.longitude)])
  }

  private static func arrays(_ searches: [(Coordinate, Double)]) -> String {
    arrays([searches.map(\.0.latitude), searches.map(\.0.longitude), searches.map(\.1)])
  }

  private static func arrays(_ columns: [[Double]]) -> String {
    columns.map { "'{\($0.map { "\($0)" }.joined(separator: ","))}'::double precision[]" }
      .joined(separator: ", ")
  }
}

extension GroupShape {
  fileprivate var json: String {
    switch self {
    case .circle(let center, let radius):
      #"{"type":"circle","center":{\#(center.json)},"radius":\#(radius)}"#
    case .polygon(let corners):
      #"{"type":"polygon","corners":[\#(corners.map { "{\($0.json)}" }.joined(separator: ","))]}"#
    }
  }
}

extension GroupShape {
  /// The corners of the polygon, with the longitude 180 instead of -180.
  fileprivate var turnedEast: [Coordinate] {
    guard case .polygon(let corners) = self else { return [] }
    return corners.map { $0.longitude == -180 ? .at($0.latitude, 180) : $0 }
  }
}

extension Coordinate {
  fileprivate var json: String { #""latitude":\#(latitude),"longitude":\#(longitude)"# }

  /// Returns a place that is known to be valid.
  static func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
    guard let place = try? Coordinate(latitude: latitude, longitude: longitude) else {
      preconditionFailure("not on the earth")
    }
    return place
  }
}

extension Places {
  /// Returns the plan of the statement that finds nearby groups, with the settings of its function.
  fileprivate func plan() async throws -> [String] {
    try await sql(
      """
      create function plan() returns setof text language plpgsql set enable_seqscan = off as $$
      begin
        return query explain (costs off)
        select distinct a.group_id from boxes_around(52.5, 13.4, 2000) around
        join group_area a on a.area && around;
      end $$
      """)
    return try await sql("select * from plan()")
  }
}
